import { parseArgs } from 'node:util';
import { everydayParts, type EverydayPart } from './everyday-rows.ts';
import { everydayTable, measureEveryday } from './everyday-suite.ts';
import { isShort } from './scale.ts';

/*
 * `npm run bench:everyday`: how the embedded reasoner does on the everyday suite of packages/lab/bench/everyday, by kind. It exits
 * with 1 where it is out of bounds.
 *
 * --json         the numbers alone
 * --only PART    texts or exchanges
 * --short        a balanced sample, as CI runs it
 */
const { values: flags } = parseArgs({
  options: { json: { type: 'boolean' }, only: { type: 'string' }, short: { type: 'boolean' } },
});

const parts = everydayParts.filter((part) => flags.only === undefined || part === flags.only);
if (parts.length === 0) {
  process.stderr.write(`--only ${flags.only}: the suite has ${everydayParts.join(' and ')}.\n`);
  process.exit(2);
}

const measured = await measureEveryday(parts, tell);
if (flags.json) console.log(JSON.stringify({ sample: isShort, parts: measured }, null, 2));
else
  for (const { part, seconds, all, byKind } of measured) {
    console.log(`\nEveryday ${part}: ${all.pairs} pairs of ${byKind.length} kinds, ${seconds.toFixed(1)} s\n`);
    console.log(everydayTable({ all, byKind }));
  }
for (const { part, breaches } of measured)
  for (const breach of breaches) {
    process.stderr.write(`Everyday ${part}: ${breach}.\n`);
    process.exitCode = 1;
  }

function tell(part: EverydayPart, done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${part}: ${done} of ${of} pairs${done === of ? '\n' : ''}`);
  else if (done === of || done % 100 === 0) process.stderr.write(`${part}: ${done} of ${of} pairs\n`);
}
