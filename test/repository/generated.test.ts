import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readStoredResult } from '../../scripts/bench/stored-result.js';
import { generatedFiles } from '../../scripts/generated-files.js';
import { codes } from '../../src/diagnostic.js';
import { terms } from '../../src/store/vocabulary.js';
import { projectFile } from './source-files.js';

const files = generatedFiles(readStoredResult(fileURLToPath(new URL('../../', import.meta.url))));
const graph = fileURLToPath(new URL('../../graph/', import.meta.url));

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schemaNamed('tool'));

function schemaNamed(name: string): object {
  return JSON.parse(files.get(`schemas/generated/${name}.schema.json`) ?? '') as object;
}

/** The Tool nodes of the project's own instance that are JSON in our form, as written. */
function ownNodes(): [string, object][] {
  const names = readdirSync(`${graph}tools`).filter((name) => /\.json(?:ld)?$/.test(name));
  return names.flatMap((name): [string, object][] => {
    const document = JSON.parse(projectFile(`graph/tools/${name}`)) as { '@graph'?: object[] };
    return (document['@graph'] ?? [document]).map((node) => [name, node]);
  });
}

describe('The generated files', () => {
  it.each([...files.keys()])('are fresh: %s', (path) => {
    expect(projectFile(path)).toBe(files.get(path));
  });

  it.each(['tool', 'skill', 'config', 'declaration'])('hold a valid JSON Schema with its own $id: %s', (name) => {
    const schema = schemaNamed(name);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `https://w3id.org/toolgraph/${name}.schema.json`,
    });
    expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
  });

  it.each(ownNodes())(
    'hold a tool.schema.json that accepts a node of %s and refuses it with an unknown key',
    (_, node) => {
      expect([validate(node), validate.errors]).toEqual([true, null]);
      expect(validate({ ...node, invok: {} })).toBe(false);
    },
  );

  it('hold a config.schema.json that accepts the own config', () => {
    const validateConfig = new Ajv2020({ strict: false }).compile(schemaNamed('config'));
    expect(validateConfig(JSON.parse(projectFile('toolgraph.config.json')))).toBe(true);
    expect(validateConfig({ nam: 'x' })).toBe(false);
  });

  it('have a row for every code and every key', () => {
    const rows = (path: string): string[] =>
      [...(files.get(path) ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, key]) => key ?? '');
    expect(rows('docs/codes.md').sort()).toEqual(Object.keys(codes).sort());
    expect(rows('docs/vocabulary.md')).toEqual(expect.arrayContaining(terms.map(({ key }) => key)));
  });

  it('end in one line feed and have no trailing space', () => {
    expect([...files].filter(([, text]) => !/[^\n]\n$/.test(text) || / $/m.test(text)).map(([path]) => path)).toEqual(
      [],
    );
  });
});
