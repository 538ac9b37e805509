import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { DeclarationSchema, definitionKey } from '../../schemas/declaration.js';
import { buildArgv } from '../../src/invocation/argv.js';
import { callEntry } from '../../src/invocation/call.js';
import { structuredOutput } from '../../src/invocation/structured-output.js';
import { validateArguments } from '../../src/invocation/validate.js';
import { analysePatterns } from '../../src/patterns/analyse.js';
import type { PatternVerdicts } from '../../src/patterns/verdict.js';
import type { Entry, Projection } from '../../src/projection/generation.js';
import { patternsOf } from '../../src/projection/patterns.js';
import { project } from '../../src/projection/project.js';
import { callSettings } from '../invocation/shell-entry.js';
import { armsRows } from './mapping/arms.js';
import { claimsRows } from './mapping/claims.js';
import { inputsRows } from './mapping/inputs.js';
import { namesRows } from './mapping/names.js';
import { outputsRows } from './mapping/outputs.js';
import { type DeclaredTexts, type MappingRow, mappingTypes } from './mapping/row.js';
import { schemasRows } from './mapping/schemas.js';
import { foreignNode, registry, sampleNode, typeIri, willingHost } from './sample-node.js';

const mappingRows = [...namesRows, ...inputsRows, ...outputsRows, ...armsRows, ...claimsRows, ...schemasRows];
const types = registry(mappingTypes);
let verdicts: PatternVerdicts;

beforeAll(async () => {
  verdicts = await analysePatterns(patternsOf(mappingRows.map(nodeOf), types));
});

function nodeOf({ node, given }: Pick<MappingRow, 'node' | 'given'>) {
  return given?.foreignId === undefined ? sampleNode(node) : foreignNode(given.foreignId);
}

function projected(row: Pick<MappingRow, 'node' | 'given'>): Projection {
  const { prefix, tiers = ['stable'], host } = row.given ?? {};
  const tools = [nodeOf(row)];
  const options = { tiers, ...(prefix === undefined ? {} : { prefix }) };
  return project({ tools, types, verdicts, options, host: willingHost(tools, host), problems: [] });
}

function entryOf(row: Pick<MappingRow, 'node' | 'given'>): Entry {
  const { entries, omissions, problems } = projected(row);
  expect({ omissions, problems }).toEqual({ omissions: [], problems: [] });
  const [entry] = entries.values();
  if (entry === undefined) throw new Error('not projected');
  return entry;
}

const plain: DeclaredTexts = {
  name: '"sample"',
  title: '"A sample"',
  description: '"Does it."',
  inputSchema: '{"type":"object","properties":{},"additionalProperties":false}',
};
const members = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The text of a declaration without its `_meta`. */
function declarationText(declared: DeclaredTexts): string {
  const texts: DeclaredTexts = { ...plain, ...declared };
  const shown = members.filter((member) => texts[member] !== undefined);
  return `{${shown.map((member) => `"${member}":${texts[member]}`).join(',')}}`;
}

async function outcomeOf(entry: Entry, printed: string) {
  const outputs = entry.binding.arm === 'shell' ? entry.binding.outputs : undefined;
  const { outputSchema } = entry.declaration;
  if (outputs === undefined || outputSchema === undefined) return { text: printed };
  return await structuredOutput(entry, { outputs, outputSchema }, { text: printed, truncated: false }, 1024);
}

describe('The mapping (tool-node.md §2)', () => {
  it.each(mappingRows)('$rule: $says', async (row) => {
    const { becomes } = row;
    if ('declares' in becomes) {
      const { _meta, ...declaration } = entryOf(row).declaration;
      expect(JSON.stringify(declaration)).toBe(declarationText(becomes.declares));
      expect(DeclarationSchema.safeParse({ ...declaration, _meta }).success).toBe(true);
    } else if ('omitted' in becomes) {
      const { entries, omissions, problems } = projected(row);
      expect({ size: entries.size, problems }).toEqual({ size: 0, problems: [] });
      expect(omissions.map(({ code, reason }) => [code, reason])).toEqual([becomes.omitted]);
    } else if ('problem' in becomes) {
      const { entries, omissions, problems } = projected(row);
      expect({ size: entries.size, omissions }).toEqual({ size: 0, omissions: [] });
      expect(problems.map(({ code, message, pointer }) => [code, message, pointer])).toEqual([becomes.problem]);
    } else if ('argv' in becomes) {
      const entry = entryOf(row);
      expect(await validateArguments(entry, becomes.called)).toBeUndefined();
      const [file, ...args] = becomes.argv;
      const stdin = becomes.stdin === undefined ? {} : { stdin: becomes.stdin };
      expect(buildArgv(entry, becomes.called as Record<string, unknown>)).toEqual({
        kind: 'argv',
        file,
        args,
        ...stdin,
      });
    } else if ('refused' in becomes) {
      const [code, message] = becomes.refused;
      expect(await callEntry(entryOf(row), becomes.called, callSettings())).toMatchObject({
        kind: 'refused',
        ...{ code, message },
      });
    } else if ('result' in becomes) {
      expect(await outcomeOf(entryOf(row), becomes.prints)).toMatchObject({ text: becomes.result });
    } else {
      const [code, message] = becomes.failed;
      expect(await outcomeOf(entryOf(row), becomes.prints)).toMatchObject({ code, message });
    }
  });

  it('P17: the definition digest is that of what is declared, run and read, in JCS', () => {
    const { declaration } = entryOf({
      node: {
        effect: 'read',
        invoke: { shell: 'echo hello', mcp: { tool: 'x' } },
        inputs: [{ name: 'it', schema: typeIri('Slug'), arg: { flag: '--it' } }],
        outputs: [{ name: 'n', schema: typeIri('Count'), from: { stdout: 'json' } }],
        requires: { network: true },
        limits: { timeoutMs: 5 },
        satisfies: ['nothing-of-it'],
      },
    });
    const jcs =
      '{"args":[{"arg":{"flag":"--it"},"name":"it"}],"declaration":{"annotations":{"readOnlyHint":true},"description":"Does it.",' +
      '"inputSchema":{"additionalProperties":false,"properties":{"it":{"description":"A slug","pattern":"^[a-z]+$","type":"string"}},"type":"object"},' +
      '"name":"sample","outputSchema":{"additionalProperties":false,"properties":{"n":{"minimum":0,"type":"integer"}},"required":["n"],"type":"object"},' +
      '"title":"A sample"},"invoke":{"shell":"echo hello"},"limits":{"timeoutMs":5},"outputs":[{"from":{"stdout":"json"},"name":"n"}],"requires":{"network":true}}';
    expect(declaration._meta).toEqual({ [definitionKey]: createHash('sha256').update(jcs).digest('hex') });
  });

  it('has a row for each rule', () => {
    const rules = new Set<string>([...mappingRows.map(({ rule }) => rule), 'P17']);
    expect([...rules].sort()).toEqual(Array.from({ length: 18 }, (_, i) => `P${i + 1}`).sort());
  });
});
