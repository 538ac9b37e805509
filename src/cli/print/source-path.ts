import { relative, resolve, sep } from 'node:path';

/** Where the documents of an instance are, as a host of code sees it. Both are absolute and without links. */
export interface SourcePlace {
  /** The instance. */
  readonly root: string;
  readonly sourceRoot: string;
}

/** The path of a document from the source root, with `/`; absolute where it lies outside. */
export function sourcePath(document: string, { root, sourceRoot }: SourcePlace): string {
  const absolute = resolve(root, document);
  const inside = relative(sourceRoot, absolute).split(sep).join('/');
  return inside === '..' || inside.startsWith('../') ? absolute : inside;
}
