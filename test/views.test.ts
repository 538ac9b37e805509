import { expect, it, onTestFinished } from 'vitest';
import type { Generation } from '../src/projection/generation.js';
import { createService, type Service, type ServiceOptions } from '../src/service.js';
import { Instance, toolNode } from './e2e/instance.js';

async function makeInstance(): Promise<Instance> {
  const instance = await Instance.make([toolNode('one')]);
  onTestFinished(() => instance.dispose());
  return instance;
}

function open(instance: Instance, options: Omit<ServiceOptions, 'root'> = {}): Service {
  const service = createService({ root: instance.root, ...options });
  onTestFinished(() => service.close());
  return service;
}

function nextGeneration(service: Service): Promise<Generation> {
  return new Promise((resolve) => {
    const end = service.subscribe(({ generation }) => {
      end();
      resolve(generation);
    });
  });
}

const slug = 'https://w3id.org/toolgraph/types.schema.json#/$defs/Slug';
const query = 'PREFIX tg: <https://w3id.org/toolgraph/ns#> SELECT ?tool WHERE { ?tool tg:satisfies ?skill }';
const view = (fields: Record<string, unknown> = {}) => ({
  '@type': 'View',
  id: 'by-skill',
  title: 'By skill',
  description: 'Tools by skill',
  query,
  parameters: [{ name: 'skill', schema: slug, required: true }],
  ...fields,
});
const typeless = ({ '@type': _type, ...rest }: Record<string, unknown>) => rest;

const turtle = `
@prefix tg: <https://w3id.org/toolgraph/ns#> . @prefix dcterms: <http://purl.org/dc/terms/> . @prefix schema: <https://schema.org/> .
<BASE> a tg:View ; dcterms:identifier "by-skill" ; dcterms:title "By skill" ; dcterms:description "Tools by skill" ; tg:query """${query}""" ;
  tg:parameters ( [ schema:name "skill" ; tg:schema <${slug}> ; tg:required true ] ) .`;

it('is the same view in every form', async () => {
  const forms: Record<string, (base: string) => unknown> = {
    'graph/a.json': () => view(),
    'graph/views/a.json': () => typeless(view()),
    'graph/a.jsonld': () => ({ '@context': 'https://w3id.org/toolgraph/v1.jsonld', '@graph': [view()] }),
    'graph/a.yaml': () => JSON.stringify(view(), undefined, 1),
    'graph/a.ttl': (base) => turtle.replace('BASE', `${base}view/by-skill`),
  };
  const digests = new Set<string>();
  const iris = new Set<string>();
  for (const [path, content] of Object.entries(forms)) {
    const instance = await makeInstance();
    await instance.config({ name: 'forms' });
    await instance.write(path, content('urn:toolgraph:forms:'));
    const { problems, views, digest } = await open(instance, { watch: false }).ready;
    expect(problems).toEqual([]);
    expect([...views.keys()]).toEqual(['by-skill']);
    for (const { iri, document, ...rest } of views.values()) {
      expect(document).toBe(path);
      iris.add(iri);
      digests.add(JSON.stringify(rest));
    }
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  }
  expect([...iris]).toEqual(['urn:toolgraph:forms:view/by-skill']);
  expect(digests.size).toBe(1);
});

it('has problems with their places in the file', async () => {
  const instance = await makeInstance();
  await instance.write(
    'graph/views/bad.json',
    JSON.stringify(view({ id: 'bad', query: 'SELECT ?x WHERE {' }), undefined, 1),
  );
  await instance.write('graph/views/update.json', view({ id: 'update', query: 'DROP ALL', parameters: [] }));
  await instance.write(
    'graph/views/odd.json',
    view({ id: 'odd', querry: 'x', parameters: [{ name: 'format', schema: slug }] }),
  );
  await instance.write('graph/views/unused.json', view({ id: 'unused', query: 'ASK {}' }));
  await instance.write('graph/views/again.json', view({ id: 'twice' }));
  await instance.write('graph/views/twice.json', view({ id: 'twice' }));
  const { problems, views } = await open(instance, { watch: false }).ready;
  expect([...views.keys()]).toEqual([]);
  expect(problems.map(({ document, code, pointer }) => [document, code, pointer])).toEqual([
    ['graph/views/again.json', 'duplicate-id', ''],
    ['graph/views/bad.json', 'invalid-query', '/query'],
    ['graph/views/odd.json', 'invalid-node', '/querry'],
    ['graph/views/twice.json', 'duplicate-id', ''],
    ['graph/views/unused.json', 'invalid-query', '/query'],
    ['graph/views/update.json', 'invalid-query', '/query'],
  ]);
  expect(problems[1]).toMatchObject({ line: 6, column: 11 });
});

it('has a uri that no other view has: the one that was served first keeps it', async () => {
  const instance = await makeInstance();
  const at = (id: string, uri: string) => view({ id, uri, parameters: [], query: 'SELECT ?s { ?s ?p ?o }' });
  await instance.write('graph/views/a.json', at('a', 'notes://one'));
  await instance.write('graph/views/b.json', at('b', 'notes://one'));
  const service = open(instance);
  const first = await service.ready;
  expect([...first.views.keys()]).toEqual([]);
  expect(first.problems.map(({ code, document, pointer }) => [code, document, pointer])).toEqual([
    ['name-collision', 'graph/views/a.json', '/uri'],
    ['name-collision', 'graph/views/b.json', '/uri'],
  ]);
  let change = nextGeneration(service);
  await instance.replace('graph/views/b.json', at('b', 'notes://two'));
  const second = await change;
  expect([...second.views.values()].map(({ uri }) => uri)).toEqual(['notes://one', 'notes://two']);
  change = nextGeneration(service);
  await instance.replace('graph/views/b.json', at('b', 'notes://one'));
  const third = await change;
  expect([...third.views.values()].map(({ uri }) => uri)).toEqual(['notes://one', 'notes://two']);
  expect(third.views.get('b')).toMatchObject({ lastGood: true });
  expect(third.problems).toMatchObject([{ code: 'name-collision', document: 'graph/views/b.json' }]);
  change = nextGeneration(service);
  await instance.write('graph/views/c.json', at('c', 'notes://two'));
  const fourth = await change;
  expect([...fourth.views.keys()]).toEqual(['a', 'b']);
  expect(fourth.problems).toMatchObject([
    { code: 'name-collision', document: 'graph/views/b.json' },
    { code: 'name-collision', document: 'graph/views/c.json' },
  ]);
});

it('changes live without a change of the list of tools, and keeps its last good form', async () => {
  const instance = await makeInstance();
  await instance.write('graph/views/v.json', view());
  const service = open(instance);
  const first = await service.ready;
  let change = nextGeneration(service);
  await instance.replace('graph/views/v.json', view({ title: 'Other' }));
  const second = await change;
  expect(second.views.get('by-skill')?.title).toBe('Other');
  expect(second.listDigest).toBe(first.listDigest);
  expect(second.digest).not.toBe(first.digest);
  change = nextGeneration(service);
  await instance.replace('graph/views/v.json', view({ title: 'Third', query: 'SELECT' }));
  const third = await change;
  expect(third.problems).toMatchObject([{ code: 'invalid-query' }]);
  expect(third.views.get('by-skill')).toMatchObject({ title: 'Other', lastGood: true });
  change = nextGeneration(service);
  await instance.remove('graph/views/v.json');
  const last = await change;
  expect([last.views.size, last.problems.length]).toEqual([0, 0]);
});

it('is served again at the next start without being judged, and omitted by its tier', async () => {
  const instance = await makeInstance();
  await instance.write('graph/views/v.json', view());
  await instance.write('graph/views/w.json', view({ id: 'inner', tier: 'internal' }));
  await instance.write('graph/views/x.json', view({ id: 'new', tier: 'experimental' }));
  const start = async (overrides: ServiceOptions['overrides'] = {}) => {
    const service = createService({ root: instance.root, watch: false, overrides });
    const { number, digest, views, viewOmissions } = await service.ready;
    await service.close();
    return { number, digest, views: [...views], omitted: viewOmissions.map(({ id, code }) => `${id} ${code}`) };
  };
  const first = await start();
  expect(first.views.map(([id]) => id)).toEqual(['by-skill']);
  expect(first.omitted).toEqual(['inner internal', 'new tier']);
  expect(await start()).toEqual(first);
  const both = await start({ tiers: ['stable', 'experimental'] });
  expect(both.views.map(([id]) => id)).toEqual(['by-skill', 'new']);
});

it('is merged from included instances, and a second one of its id is refused', async () => {
  const instance = await makeInstance();
  const inner = await Instance.make([]);
  onTestFinished(() => inner.dispose());
  await instance.config({ include: [inner.root] });
  await instance.write('graph/views/v.json', view());
  const uri = 'notes://{skill}';
  await inner.write('graph/views/w.json', view({ id: 'inner', uri }));
  const service = open(instance);
  const first = await service.ready;
  expect([...first.views.keys()]).toEqual(['by-skill', 'inner']);
  expect(first.views.get('inner')).toMatchObject({
    instance: inner.root,
    document: `${inner.root}/graph/views/w.json`,
  });
  const change = nextGeneration(service);
  await inner.write('graph/views/x.json', view());
  const { views, problems } = await change;
  expect(views.get('by-skill')?.document).toBe('graph/views/v.json');
  expect(problems).toMatchObject([{ code: 'name-collision', document: `${inner.root}/graph/views/x.json` }]);
  const again = nextGeneration(service);
  await instance.write('graph/views/y.json', view({ id: 'outer', uri }));
  const { views: after, problems: told } = await again;
  expect([...after.keys()]).toEqual(['by-skill', 'inner']);
  expect(told.map(({ document, message }) => [document, message])).toContainEqual([
    'graph/views/y.json',
    expect.stringContaining(`has the uri of a view of ${inner.root}/graph/views/w.json, which was served first`),
  ]);
});
