import type { Rule } from '../rule.js';

export const unreadFile: Rule = {
  name: 'unread-file',
  severity: 'warning',
  summary: 'No file of data in a node folder has an ending that is not read.',
  why: 'What a file is read as, its ending says: .json, .jsonld, .yaml, .yml, .ttl, .trig, .nt, .nq and .md. Any other is left alone, so a Tool in a .jsonc or a .json5 is not there, and nothing else says so. Scripts, texts, dotfiles, backups and what lies in a folder of skills are no finding.',
  fix: 'Write it in a format that is read, such as YAML where it has comments; or keep it elsewhere, or name it under "ignore" in the config.',
  example: { language: 'text', text: 'graph/tools/deploy.jsonc' },
  check: ({ members }) =>
    [...members].flatMap(([label, { unreadFiles }]) =>
      unreadFiles.map((document) => ({
        message: `this file is not read: nothing reads ${document.slice(document.lastIndexOf('.'))} here`,
        document,
        ...(label === '' ? {} : { instance: label }),
      })),
    ),
};
