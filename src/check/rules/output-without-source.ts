import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

/** tool-node.md P6. */
export const outputWithoutSource: Rule = {
  name: 'output-without-source',
  severity: 'warning',
  summary: 'Where one output of a Tool says where it comes from, every output does.',
  why: 'The outputSchema is one for all outputs: when one has no "from", the tool has none at all, the result is plain text, and what the other outputs say is lost without a word. A Tool none of whose outputs has a "from" describes its outputs in prose, and is no finding.',
  fix: 'Give the output a "from", such as {"stdout": "json", "pointer": "/log"}; or remove it, where the tool does not give it in this way.',
  example: {
    language: 'json',
    text: '{ "outputs": [{ "name": "report", "from": { "stdout": "json" }, … }, { "name": "log", … }] }',
  },
  check: ({ nodes }) =>
    nodes.flatMap((node) => {
      const { id, io } = node.tool;
      if (io.outputs.every(({ from }) => from === undefined)) return [];
      return io.outputs.flatMap(({ name, from }, i) =>
        from !== undefined
          ? []
          : {
              message: `${id}: its output "${name}" has no "from", so the tool has no outputSchema, although other outputs have one`,
              ...nodePlace(node, `/io/outputs/${i}`),
            },
      );
    }),
};
