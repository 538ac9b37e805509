import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * A module of the built package by its place below `dist/src/`, as `patterns/worker.js`. A thread is a file of its own, which Node 20
 * runs only when it is built; so the sources, too, name the built one.
 */
export function builtModule(place: string): URL {
  const packageFile = createRequire(import.meta.url).resolve('toolgraph/package.json');
  return new URL(`./dist/src/${place}`, pathToFileURL(packageFile));
}
