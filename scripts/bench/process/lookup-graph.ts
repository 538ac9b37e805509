/**
 * Fills the store in the folder argv[2] with documents of the corpus (seed argv[4]) until it has argv[3] quads, and prints how many
 * documents and quads it has.
 */
import { fillLookupGraph, openLookupGraph } from '../lookup-graph.js';

const [folder = '', quads, seed] = process.argv.slice(2);
const store = openLookupGraph(folder);
const filled = await fillLookupGraph(store, Number(quads), Number(seed));
store.close();
console.log(JSON.stringify(filled));
