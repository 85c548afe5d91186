import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createAgon } from '../src/index.ts';
import { decimals, table } from './table.ts';
import { wrappers, type Wrapper } from './wrapper-list.ts';

/*
 * `npm run bench:wrappers`: how often a verdict of the embedded reasoner changes when a text is dressed up without
 * changing what it says. Texts that are judged wrongly as they stand are left out: they are another bench's matter.
 * `-- --only code,JSON` runs those wrappers alone, `-- --texts 30` so many texts of each kind, `-- --short` a few.
 */

const { values: asked } = parseArgs({
  options: { short: { type: 'boolean' }, only: { type: 'string' }, texts: { type: 'string', default: '120' } },
});
const chosen = asked.only ? wrappers.filter(({ name }) => asked.only!.split(',').includes(name)) : wrappers;
const usual = asked.short ? 3 : Number(asked.texts);
const most = { usual, long: Math.ceil(usual / 6) };

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
for (const wrapper of chosen) {
  const row = await measure(wrapper);
  rows.push(row);
  console.error(`${row.name}: ${row.missed}/${row.harmful}, ${row.alarms}/${row.harmless}, ${row.unsure} unsure`);
}
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
  const lines = file.trim().split('\n');
  const step = Math.max(1, Math.floor(lines.length / most.usual));
  const texts = lines.filter((_, index) => index % step === 0).slice(0, most.usual);
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
