import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { NumberFinding, ReportDocument } from '@agonhq/documents';
import { ingestDocument } from '@agonhq/documents/ingest';
import { checkNumbers } from '@agonhq/documents/numbers';
import { table } from '../table.ts';
import { random as seeded, type Random } from './random.ts';

/*
 * Real filings with single numbers altered: how many alterations are flagged where they are, and how many conflicts the
 * filing raises as it is.
 */

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
    misses: { type: 'boolean', default: false },
  },
});
const root = process.env['AGON_DATASETS'];
if (root === undefined) {
  console.log(
    'AGON_DATASETS is not set: it names the folder with files/financebench/pdfs and ' +
      'files/findver/financial_reports, in which single numbers would be altered.',
  );
  process.exit(0);
}
const folder = (name: string): string[] =>
  readdirSync(path.join(root, 'files', name))
    .toSorted()
    .map((file) => path.join(root, 'files', name, file));
const reports = folder('findver/financial_reports');
const step = Math.max(1, Math.floor(reports.length / Math.max(1, Number(values.json))));
const files = [
  ...folder('financebench/pdfs'),
  ...reports.filter((_, index) => index % step === 0).slice(0, Number(values.json)),
].filter((file) => file.includes(values.only));

interface Target {
  start: number;
  end: number;
}
interface Tally {
  altered: number;
  flagged: number;
}
const rows: (string | number)[][] = [];
const sums: Record<'cells' | 'checkedCells' | 'text' | 'checkedText', Tally> = {
  cells: none(),
  checkedCells: none(),
  text: none(),
  checkedText: none(),
};
let conflictsInAll = 0;

for (const file of files) {
  const random = seeded(Number(values.seed));
  const bytes = file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file);
  const document = await ingestDocument(bytes, path.basename(file).replace(/\.gz$/, ''), { readImageText: null });
  const before = checkNumbers({ documents: [document] });
  const conflicts = before.filter(({ outcome }) => outcome === 'conflict');
  conflictsInAll += conflicts.length;
  const checked = (target: Target): boolean =>
    before.some(({ outcome, places }) => outcome === 'holds' && places.some((place) => touches(place, target)));
  const cells = random.some(cellsUnderTotals(document), Number(values.each));
  const text = random.some(figuresInText(document), Number(values.each));
  const known = new Set(conflicts.map(({ check, places }) => `${check}:${places[0]?.start}`));
  const results: { kind: 'cells' | 'text'; flagged: boolean }[] = [];
  // A cell and a figure of the text at a time: they stand in different blocks, and each is looked for at its own place.
  for (let round = 0; round < Math.max(cells.length, text.length); round++) {
    const targets = [
      { target: cells[round], kind: 'cells' as const },
      { target: text[round], kind: 'text' as const },
    ].flatMap(({ target, kind }) => (target === undefined ? [] : [{ target, kind }]));
    const altered = targets.reduce((changed, { target }) => withNumber(changed, target, random), document);
    const raised = checkNumbers({ documents: [altered] }).filter((finding) => isNew(finding, known));
    for (const { target, kind } of targets) {
      const flagged = raised.some(({ places }) => places.some((place) => touches(place, target)));
      const recomputed = checked(target);
      count(sums[kind], flagged);
      if (recomputed) count(sums[kind === 'cells' ? 'checkedCells' : 'checkedText'], flagged);
      results.push({ kind, flagged });
      if (values.misses && !flagged && recomputed) console.log(missed(document, altered, target));
    }
  }
  const share = (kind: string): string =>
    `${
      results.filter((result) => result.kind === kind && result.flagged).length
    }/${results.filter((result) => result.kind === kind).length}`;
  rows.push([
    path.basename(file).replace(/\.(?:pdf|json\.gz)$/, ''),
    document.blocks.filter(({ table: one }) => one !== undefined).length,
    before.length - conflicts.length,
    conflicts.length,
    share('cells'),
    share('text'),
  ]);
  console.error(`${rows.length}/${files.length} ${rows.at(-1)!.join(' · ')}`);
}

console.log(
  table(
    ['filing', 'tables', 'recomputed', 'conflicts as it is', 'altered cells flagged', 'altered text flagged'],
    rows,
  ),
);
const told = ({ altered, flagged }: Tally): string =>
  `${flagged}/${altered}${altered === 0 ? '' : ` (${Math.round((100 * flagged) / altered)} %)`}`;
console.log(
  `\nAltered cells of tables with a total: ${told(sums.cells)} flagged; of those that the tools had recomputed: ` +
    `${told(sums.checkedCells)}.`,
);
console.log(
  `Altered figures in the text: ${told(sums.text)} flagged; of those that the tools had recomputed: ` +
    `${told(sums.checkedText)}.`,
);
console.log(`Conflicts in ${files.length} unaltered filings: ${conflictsInAll}.`);

function missed(document: ReportDocument, altered: ReportDocument, { start, end }: Target): string {
  const around = document.text.slice(Math.max(0, start - 80), end + 40).replaceAll('\n', ' ⏎ ');
  return (
    `missed in ${document.name}: ${document.text.slice(start, end)} → ${altered.text.slice(start, end)} in ` +
    `“${around}”`
  );
}

function none(): Tally {
  return { altered: 0, flagged: 0 };
}

function count(tally: Tally, flagged: boolean): void {
  tally.altered++;
  if (flagged) tally.flagged++;
}

function touches(place: Target, target: Target): boolean {
  return place.start < target.end && place.end > target.start;
}

function isNew({ outcome, check, places }: NumberFinding, known: ReadonlySet<string>): boolean {
  return outcome === 'conflict' && !known.has(`${check}:${places[0]?.start}`);
}

/** Numbers of three digits or more in the columns of tables that have a total. */
function cellsUnderTotals(document: ReportDocument): Target[] {
  return document.blocks.flatMap(({ table: one }) => {
    const totals =
      one?.cells.filter(({ column, text }) => column === 0 && /^total\b/i.test(text.trim())).map(({ row }) => row) ??
      [];
    return one === undefined || totals.length === 0
      ? []
      : one.cells.filter(
          ({ row, column, text }) =>
            column > 0 &&
            row <= Math.max(...totals) &&
            row >= one.headerRows &&
            /\d[\d,.]{2,}\)?$/.test(text.trim()) &&
            !/^(?:19|20)\d\d$/.test(text.trim()),
        );
  });
}

/** Amounts and percentages that the prose states. */
function figuresInText(document: ReportDocument): Target[] {
  return document.blocks
    .filter(({ kind }) => kind === 'paragraph' || kind === 'list')
    .flatMap(({ start, end }) =>
      [...document.text.slice(start, end).matchAll(/\$\s?\d[\d,.]*\d(?: (?:million|billion))?|\d+(?:\.\d+)?\s?%/g)].map(
        (match) => ({
          start: start + match.index,
          end: start + match.index + match[0].length,
        }),
      ),
    );
}

/** The document with another first digit in one of its numbers: no offset moves. */
function withNumber(document: ReportDocument, { start, end }: Target, random: Random): ReportDocument {
  const text = document.text
    .slice(start, end)
    .replace(/[1-9]/, (digit) =>
      String(random.pick([1, 2, 3, 4, 5, 6, 7, 8, 9].filter((other) => other !== Number(digit)))),
    );
  return {
    ...document,
    text: document.text.slice(0, start) + text + document.text.slice(end),
    blocks: document.blocks.map((block) =>
      block.table === undefined || start < block.start || start >= block.end
        ? block
        : {
            ...block,
            table: {
              ...block.table,
              cells: block.table.cells.map((cell) => (cell.start === start ? { ...cell, text } : cell)),
            },
          },
    ),
  };
}
