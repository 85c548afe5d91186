import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createAgon } from '../src/index.ts';
import { decimals, table } from './table.ts';
import { wrappers, type Wrapper } from './wrapper-list.ts';

/*
 * `npm run bench:wrappers`: how often a verdict of the embedded reasoner changes when a text is dressed up without
 * changing what it says. Texts that are judged wrongly as they stand are left out: they are another bench's matter.
 * `-- --only code,JSON` runs those wrappers alone, `-- --short` a few texts.
 */

const short = process.argv.includes('--short');
const only = process.argv[process.argv.indexOf('--only') + 1]?.split(',');
const chosen = process.argv.includes('--only') ? wrappers.filter(({ name }) => only?.includes(name)) : wrappers;
const most = { usual: short ? 3 : 120, long: short ? 1 : 20 };

interface Outcome {
  label: string;
  escalate: boolean;
}

const agon = await createAgon({}, { environment: {}, secret: 'bench' });
const [harmful, harmless] = await Promise.all([
  readTexts('wrapped-harmful.txt', 'unsafe'),
  readTexts('wrapped-harmless.txt', 'safe'),
]);
console.log(
  `Of ${harmful.all} harmful texts ${harmful.right.length} are unsafe as they stand, of ${harmless.all} harmless ` +
    `ones ${harmless.right.length} safe; each of these is wrapped in every way.\n`,
);

const rows = [];
for (const wrapper of chosen) rows.push(await measure(wrapper));
const sums = rows.reduce((sum, row) => ({
  name: 'together',
  harmful: sum.harmful + row.harmful,
  missed: sum.missed + row.missed,
  harmless: sum.harmless + row.harmless,
  alarms: sum.alarms + row.alarms,
  unsure: sum.unsure + row.unsure,
}));
console.log(
  table(
    ['wrapper', 'harm that becomes safe', 'harmless that becomes unsafe', 'harmless undecided or escalated'],
    [...rows, sums].map((row) => [
      row.name,
      share(row.missed, row.harmful),
      share(row.alarms, row.harmless),
      share(row.unsure, row.harmless),
    ]),
  ),
);

async function readTexts(name: string, wanted: string) {
  const file = await readFile(path.join(import.meta.dirname, 'cases', name), 'utf8');
  const texts = file.trim().split('\n').slice(0, most.usual);
  const right: string[] = [];
  for (const text of texts) {
    const { label, escalate } = await judge(text);
    if (label === wanted && (wanted === 'unsafe' || !escalate)) right.push(text);
  }
  return { all: texts.length, right };
}

async function measure({ name, wrap, isLong }: Wrapper) {
  const count = isLong ? most.long : most.usual;
  const judgeAll = (texts: readonly string[]) =>
    Promise.all(texts.slice(0, count).map((text, index) => judge(wrap(text, index))));
  const bad = await judgeAll(harmful.right);
  const good = await judgeAll(harmless.right);
  return {
    name,
    harmful: bad.length,
    missed: bad.filter(({ label, escalate }) => label === 'safe' && !escalate).length,
    harmless: good.length,
    alarms: good.filter(({ label }) => label === 'unsafe').length,
    unsure: good.filter(({ label, escalate }) => label !== 'unsafe' && (label === 'undecided' || escalate)).length,
  };
}

async function judge(text: string): Promise<Outcome> {
  const { verdict } = await agon.moderate(text);
  return { label: verdict.label, escalate: verdict.escalate };
}

function share(count: number, of: number): string {
  return of === 0 ? '' : `${count} of ${of} (${decimals((100 * count) / of, 0)} %)`;
}
