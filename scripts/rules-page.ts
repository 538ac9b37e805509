import { ruleIds } from '../schemas/rule-ids.js';
import type { Rule } from '../src/check/rule.js';
import { page, table } from './reference-pages.js';

type DescribedRule = Omit<Rule, 'check'>;

/** docs/rules.md: a table of all rules, then a section for each. The anchor of a section is that of its heading, `#tg205-hidden-text`. */
export function renderRules(rules: readonly DescribedRule[]): string {
  const rows = rules.map(({ name, severity, summary }) => {
    const heading = headingOf(name);
    return [`[${ruleIds[name]}](#${heading.toLowerCase().replaceAll(' ', '-')})`, `\`${name}\``, severity, summary];
  });
  const body = [
    'What `toolgraph check` asks of an instance. [check.md](check.md) tells how it is run, in which formats it prints, and how a config sets ' +
      'the severity of a rule. TG0xx are problems, TG1xx omissions, TG2xx what is asked beside them; [codes.md](codes.md) has the codes.',
    table(['id', 'name', 'default', 'what it is about'], rows),
    ...rules.map(section),
  ];
  return page('Rules', 'src/check/rule-table.ts', body.join('\n\n'));
}

function headingOf(name: DescribedRule['name']): string {
  return `${ruleIds[name]} ${name}`;
}

function section({ name, severity, summary, why, fix, example }: DescribedRule): string {
  const parts = [
    `## ${headingOf(name)}`,
    escaped(summary),
    `Default: ${severity}.`,
    `**Why.** ${escaped(why)}`,
    `**What to do.** ${escaped(fix)}`,
  ];
  if (example !== undefined) parts.push(`Breaks it:\n\n\`\`\`${example.language}\n${example.text}\n\`\`\``);
  return parts.join('\n\n');
}

/** Outside of code, Markdown takes `<…>` for a tag. */
function escaped(text: string): string {
  return text.replaceAll('<', '\\<');
}
