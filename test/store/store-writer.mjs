// A process of its own that writes to the stores, run by graph-store-processes.test.ts with the store built from the source.
// argv: <folder of the built code> <state folder> <task> <number>; prints one line a step.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [built, folder, task, number] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(built, 'src', 'store', file)).href);
const { openGraphStore } = await load('graph-store.js');
const { openRecordStore } = await load('record-store.js');
const { Iri } = await load('rdf-terms.js');
const { storedQuad, decodeTerm } = await load('term-text.js');
const { lift } = await load('lift.js');

const base = 'urn:toolgraph:test:';
const property = new Iri('urn:p');
const store = openGraphStore(folder, '1');
const say = (line) => new Promise((done) => process.stdout.write(`${line}\n`, done));

/** One document of ten quads; `text` is in one of them, the rest are the same for all writers. */
function write(path, text, expected) {
  const graph = new Iri(`${base}document/${path}`);
  const quads = Array.from({ length: 10 }, (_, i) =>
    storedQuad(new Iri(`${base}${path}/${i}`), property, decodeTerm(`"${i === 0 ? text : `same ${i}`}"`), graph),
  );
  const document = { path, sha256: text, kind: 'nodes', quads, pointers: new Map(), diagnostics: [], broken: [] };
  return { document, lifted: lift(quads, base, path, new Map()), signature: `sig ${text}`, expected };
}

/** Each process writes the same 300 documents, in its own order and each with its own text, until its own were the last or it raced. */
async function writeAll() {
  const records = openRecordStore(folder);
  let raced = 0;
  for (let i = 0; i < 300; i++) {
    const path = `graph/${(i * 7 + Number(number) * 50) % 300}.json`;
    const item = write(path, `${number} ${i}`, store.document(path)?.signature);
    raced += store.putDocuments([item]).raced.length;
    records.nextGeneration('key', `${number} ${i}`, new Date());
  }
  await say(JSON.stringify({ raced }));
  records.close();
  store.close();
}

/** Rewrites 200 documents with one text for all of them, again and again, each time in one transaction, until it is killed. */
async function rewriteForEver() {
  for (let round = 0; ; round++) {
    const batch = Array.from({ length: 200 }, (_, i) => {
      const path = `graph/${i}.json`;
      return write(path, `${number} round ${round}`, store.document(path)?.signature);
    });
    await say(`begin ${round}`);
    store.putDocuments(batch);
    await say(`end ${round}`);
  }
}

/** Fills the empty store with documents, 50 at a time and two times in flight, until it is killed. */
async function fillForEver() {
  await store.filling(async (sink) => {
    for (let batch = 0, before; ; batch++) {
      for (let i = 0; i < 50; i++) sink.add(write(`graph/${batch}-${i}.json`, `${batch} ${i}`));
      const flushed = sink.flush();
      await before;
      before = flushed;
      await say(`end ${batch - 1}`);
    }
  });
}

await { write: writeAll, rewrite: rewriteForEver, fill: fillForEver }[task]();
