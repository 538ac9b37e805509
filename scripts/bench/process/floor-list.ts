/** The floor of a list: for each line of stdin, writes the value of the JSON file in argv[2] as one line. Ends with its stdin. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const value: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
createInterface({ input: process.stdin }).on('line', () => process.stdout.write(`${JSON.stringify(value)}\n`));
console.log('ready');
