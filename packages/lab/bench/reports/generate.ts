import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compose } from './compose.ts';
import { plant } from './plant.ts';
import { random } from './random.ts';
import { contradictionKinds, sentenceText, type ContradictionKind, type Report, type Truth } from './report.ts';
import { pdfOf } from './write-pdf.ts';
import { csvOf, xlsxOf } from './write-sheets.ts';

/* Pairs of reports: one in which everything agrees, and its twin with one planted contradiction. */

export const reportFormats = ['pdf', 'xlsx', 'csv', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface ReportPair {
  id: string;
  format: ReportFormat;
  truth: Truth;
  consistent: Uint8Array;
  contradictory: Uint8Array;
}

/** The pair of a seed: always the same one. */
export async function reportPair(seed: number, format: ReportFormat, wanted: ContradictionKind): Promise<ReportPair> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const own = seed * 1000 + attempt;
    const { report, random: chance } = compose(own);
    const narrowed = format === 'csv' ? oneTable(report, own) : report;
    const kind =
      format === 'csv' && !['margin', 'total', 'growth'].includes(wanted)
        ? (['total', 'growth', 'margin'] as const)[seed % 3]!
        : wanted;
    const planted = plant(narrowed, kind, chance, format === 'csv');
    if (planted === null) continue;
    return {
      id: `${format}-${String(seed).padStart(4, '0')}`,
      format,
      truth: planted.truth,
      consistent: await bytesOf(narrowed, format, own),
      contradictory: await bytesOf(planted.report, format, own),
    };
  }
  throw new Error(`No report of seed ${seed} has a place for a contradiction of the kind ${wanted}.`);
}

/** The pairs of a seed, formats and kinds in turn. */
export async function* reportPairs(
  count: number,
  seed: number,
  formats: readonly ReportFormat[],
): AsyncGenerator<ReportPair> {
  for (let index = 0; index < count; index++) {
    const round = Math.floor(index / formats.length);
    yield await reportPair(
      seed * 100_000 + index,
      formats[index % formats.length]!,
      contradictionKinds[(round + index) % contradictionKinds.length]!,
    );
  }
}

function oneTable(report: Report, seed: number): Report {
  const tables = report.blocks.filter((block) => block.kind === 'table' && block.table.rows.length > 2);
  return { ...report, blocks: [random(seed).pick(tables)] };
}

async function bytesOf(report: Report, format: ReportFormat, seed: number): Promise<Uint8Array> {
  const [first] = report.blocks;
  switch (format) {
    case 'pdf':
      return pdfOf(report, seed);
    case 'xlsx':
      return xlsxOf(report, seed);
    case 'csv':
      return csvOf((first as Extract<typeof first, { kind: 'table' }>).table, seed);
    case 'json':
      return new TextEncoder().encode(`${JSON.stringify(plain(report), null, 2)}\n`);
  }
}

/** Title, sections and tables, as a program would hand them on. */
function plain(report: Report): unknown {
  const members: [string, unknown][] = [['title', report.title]];
  let section = 'text';
  for (const block of report.blocks) {
    if (block.kind === 'heading') section = block.text;
    else if (block.kind === 'paragraph') members.push([unused(section), block.sentences.map(sentenceText).join(' ')]);
    else
      members.push([
        unused([block.table.title, block.table.unit].filter((text) => text !== '').join(', ')),
        [
          block.table.header[0]!,
          ...block.table.rows
            .filter(({ heading }) => heading !== true)
            .map(({ label, cells }) => [label, ...cells.map(({ text }) => text)]),
        ],
      ]);
  }
  return Object.fromEntries(members);

  function unused(key: string): string {
    return members.some(([taken]) => taken === key) ? unused(`${key} (continued)`) : key;
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      pairs: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
      format: { type: 'string', default: 'pdf,xlsx,csv' },
    },
  });
  const formats = values.format.split(',') as ReportFormat[];
  const [folder] = positionals;
  if (folder === undefined || formats.some((format) => !reportFormats.includes(format))) {
    process.stderr.write(
      `node packages/lab/bench/reports/generate.ts FOLDER [--pairs 50] [--seed 1] [--format ${reportFormats.join(',')}]\n`,
    );
    process.exit(1);
  }
  await mkdir(folder, { recursive: true });
  const truths: unknown[] = [];
  for await (const { id, format, truth, consistent, contradictory } of reportPairs(
    Number(values.pairs),
    Number(values.seed),
    formats,
  )) {
    await writeFile(path.join(folder, `${id}-consistent.${format}`), consistent);
    await writeFile(path.join(folder, `${id}-contradictory.${format}`), contradictory);
    truths.push({
      id,
      consistent: `${id}-consistent.${format}`,
      contradictory: `${id}-contradictory.${format}`,
      ...truth,
    });
  }
  await writeFile(path.join(folder, 'truth.json'), `${JSON.stringify(truths, null, 2)}\n`);
  process.stdout.write(`${truths.length} pairs in ${folder}, what was planted in truth.json.\n`);
}
