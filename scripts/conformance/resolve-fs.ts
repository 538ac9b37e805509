import type { ResolveHook } from 'node:module';

const complete = new URL('./fs-with-glob.js', import.meta.url).href;

/** Gives the conformance suite a module `fs` that has all the names that it imports: on Node 20 it does not load otherwise. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const isOfSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/dist/') === true;
  return isOfSuite && specifier === 'fs' ? { url: complete, shortCircuit: true } : next(specifier, context);
};
