import type { Input, Output } from './port.js';
import { type RuleViolation, type Tool, type ToolDocument, ToolDocumentSchema } from './tool.js';

/**
 * A Tool as authors write it: the fields, then the rules across fields, then the one spelling.
 * Refuses a Tool whose only arm is `mcp` (tool-node.md §1); ingest uses `NodeSchema`, which leaves that to the projection.
 */
export const ToolSchema = ToolDocumentSchema.superRefine((doc, ctx) => {
  for (const { path, message } of [...toolRules(doc), ...armRule(doc)]) {
    ctx.addIssue({ code: 'custom', path: [...path], message });
  }
}).transform(canonicalTool);

/** What `lift` ends in: as `ToolSchema`, and an `mcp`-only Tool passes, because its state can be determined. */
export const NodeSchema = ToolDocumentSchema.superRefine((doc, ctx) => {
  for (const { path, message } of toolRules(doc)) ctx.addIssue({ code: 'custom', path: [...path], message });
}).transform(canonicalTool);

function armRule(doc: ToolDocument): RuleViolation[] {
  const { shell, container, inProcess, manual } = doc.invoke;
  if (shell !== undefined || container !== undefined || inProcess !== undefined || manual !== undefined) return [];
  return [{ path: ['invoke'], message: 'expected at least one of shell, container, inProcess, manual' }];
}

/** The rules of tool-node.md §1 that span several fields. Pure; also run on the source tree, where positions exist. */
export function toolRules(doc: ToolDocument): RuleViolation[] {
  const found: RuleViolation[] = [];
  if (doc.description !== undefined && doc.summary !== undefined) {
    found.push({
      path: ['summary'],
      message: 'both "description" and its older name "summary" are given; keep "description"',
    });
  }
  if (doc.description === undefined && doc.summary === undefined) {
    found.push({ path: ['description'], message: 'expected a description: it is what the model reads' });
  }
  if (doc.effect !== undefined && doc.type !== undefined) {
    found.push({ path: ['type'], message: 'both "effect" and its other spelling "type" are given; keep "effect"' });
  }
  if (doc.deprecated !== undefined && doc.tier !== 'deprecated') {
    found.push({ path: ['deprecated'], message: '"deprecated" needs "tier": "deprecated"' });
  }
  for (const [i, remedy] of (doc.remedies ?? []).entries()) {
    if ((remedy.tool === undefined) === (remedy.none === undefined)) {
      found.push({ path: ['remedies', i], message: 'expected exactly one of "tool" and "none"' });
    }
  }
  const { inputs = [], outputs = [] } = doc.io;
  return [...found, ...uniqueInputRules(inputs), ...positionalRules(inputs), ...outputRules(outputs)];
}

/** Only of outputs that say where they come from: the others are prose, which nothing reads by name (P6). */
function outputRules(outputs: readonly Output[]): RuleViolation[] {
  const found: RuleViolation[] = [];
  const names = new Set<string>();
  for (const [i, { name, from }] of outputs.entries()) {
    if (from === undefined) continue;
    const path = ['io', 'outputs', i] as const;
    if (names.has(name)) found.push({ path: [...path, 'name'], message: `two outputs are named "${name}"` });
    names.add(name);
    if ('stdout' in from && from.stdout === 'text' && from.pointer !== undefined) {
      const message = 'a text has no parts to point to; leave the pointer out, or write "stdout": "json"';
      found.push({ path: [...path, 'from', 'pointer'], message });
    }
  }
  return found;
}

function uniqueInputRules(inputs: readonly Input[]): RuleViolation[] {
  const found: RuleViolation[] = [];
  const names = new Set<string>();
  const flags = new Set<string>();
  let stdin = false;
  for (const [i, { name, arg, repeated }] of inputs.entries()) {
    const path = ['io', 'inputs', i] as const;
    if (names.has(name)) found.push({ path: [...path, 'name'], message: `two inputs are named "${name}"` });
    names.add(name);
    if (arg === undefined) continue;
    if ('flag' in arg) {
      if (flags.has(arg.flag))
        found.push({ path: [...path, 'arg', 'flag'], message: `two inputs use the flag ${arg.flag}` });
      flags.add(arg.flag);
    } else if ('stdin' in arg) {
      if (stdin) found.push({ path: [...path, 'arg', 'stdin'], message: 'two inputs are bound to stdin' });
      if (repeated) found.push({ path: [...path, 'repeated'], message: 'an input on stdin cannot be repeated' });
      stdin = true;
    }
  }
  return found;
}

function positionalRules(inputs: readonly Input[]): RuleViolation[] {
  const found: RuleViolation[] = [];
  const slots = inputs.flatMap((input, i) =>
    input.arg !== undefined && 'positional' in input.arg ? [{ input, i, n: input.arg.positional }] : [],
  );
  slots.sort((a, b) => a.n - b.n || a.i - b.i);
  let optional = false;
  for (const [expected, { input, i, n }] of slots.entries()) {
    const path = ['io', 'inputs', i, 'arg', 'positional'] as const;
    if (slots[expected - 1]?.n === n) found.push({ path, message: `two inputs have position ${n}` });
    else if (n !== expected)
      found.push({ path, message: `positions are counted from 0 without a gap; expected ${expected}` });
    if (input.required && optional) {
      found.push({
        path: ['io', 'inputs', i, 'required'],
        message: 'a required positional comes after an optional one',
      });
    }
    if (!input.required) optional = true;
    if (input.repeated && expected !== slots.length - 1) {
      found.push({ path: ['io', 'inputs', i, 'repeated'], message: 'only the last positional can be repeated' });
    }
  }
  return found;
}

function canonicalTool(doc: ToolDocument): Tool {
  const { $schema, '@context': context, '@type': types, '@id': iri, summary, type, description, effect, ...rest } = doc;
  const stated = effect ?? type;
  return {
    ...rest,
    description: description ?? summary ?? '',
    ...(stated === undefined ? {} : { effect: stated }),
    tier: doc.tier ?? 'stable',
    io: { inputs: doc.io.inputs ?? [], outputs: doc.io.outputs ?? [] },
  };
}
