const { TOOLGRAPH_TEST_SEED: stated } = process.env;

/** What this run draws its random values from: another number each time, unless TOOLGRAPH_TEST_SEED states one, as `.ci/run` does. */
export const drawnSeed = stated === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(stated);
