/**
 * Preloaded into a server that a soak watches, with `--expose-gc`: collects garbage when SIGUSR2 comes, so that what the process then
 * holds is what it needs, and not what the engine has not come to yet.
 */
process.on('SIGUSR2', () => globalThis.gc?.());
