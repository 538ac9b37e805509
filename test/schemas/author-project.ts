import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A TypeScript project of a person who has installed toolgraph, removed after the test. */
export class AuthorProject {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-author-')));

  constructor(files: Readonly<Record<string, string>>) {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
    mkdirSync(join(this.root, 'node_modules/@types'), { recursive: true });
    symlinkSync(packageRoot, join(this.root, 'node_modules/toolgraph'));
    symlinkSync(join(packageRoot, 'node_modules/@types/node'), join(this.root, 'node_modules/@types/node'));
    const compilerOptions = { target: 'ES2022', module: 'NodeNext', types: ['node'], strict: true };
    this.write('package.json', JSON.stringify({ type: 'module' }));
    this.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: false } }));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Compiles each file beside itself, and gives the errors: `file(line,column): …`, each with the lines that explain it. */
  compile(): string[] {
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], { cwd: this.root, encoding: 'utf8' });
    return stdout.split(/\n(?=\S)/).filter((error) => error.trim() !== '');
  }

  run(...words: readonly string[]): string {
    return execFileSync(process.execPath, words, { cwd: this.root, encoding: 'utf8' });
  }
}
