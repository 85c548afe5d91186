import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { listJobBenches } from '../jobs/index.ts';
import { has, type DataFormat, type DatasetRow } from './format.ts';

/** Our own lines, and what is read when nothing else fits. */
export const agonFormat: DataFormat = {
  name: 'agon',
  description:
    'Our own: id, label and what is judged; category, raters, trivial and what people marked where they are known.',
  source: 'written by you, or by an export of Agon',
  columns:
    'id, label, category, raters, trivial; text, image, image_description, clauses, severity, spans | prompt, ' +
    'response (or messages), model, risk, behaviour | claim, doc or doc_text, evidence_ids',
  recognises: (row) => has(row, 'label') && listJobBenches().some((bench) => bench.recognizesItem(row)),
  read: (row) => [row],
};

/** Any table or list of objects, its columns named by --map. */
export const genericFormat: DataFormat = {
  ...agonFormat,
  name: 'generic',
  description:
    'Any JSONL, CSV, TSV or JSON list: --map names the columns (text=comment,label=is_toxic), --map-label the labels.',
  source: 'anywhere',
  columns: 'as --map says; a column with one of our own names needs none',
  recognises: () => false,
};

/** A layout with the jobs whose data is laid out so. */
export interface KnownFormat {
  format: DataFormat;
  jobs: readonly string[];
}

/** Every layout that can be read, our own first. */
export function listFormats(): KnownFormat[] {
  const benches = listJobBenches();
  const jobsOf = (format: DataFormat) =>
    benches.filter(({ formats }) => formats.includes(format)).map(({ job }) => job);
  const published = [...new Set(benches.flatMap(({ formats }) => formats))];
  return [
    ...[agonFormat, genericFormat].map((format) => ({ format, jobs: benches.map(({ job }) => job) })),
    ...published.map((format) => ({ format, jobs: jobsOf(format) })),
  ];
}

/** The format that `--format NAME` or `NAME:OPTION` asks for. */
export function findFormat(asked: string): { format: DataFormat; option: string | null } {
  const [name, option] = asked.split(/:(.*)/s, 2) as [string, string?];
  const formats = listFormats().map((known) => known.format);
  const format = formats.find((one) => one.name === name);
  if (!format)
    throw badFlag(
      `There is no format ${name}.`,
      `Formats are ${formats.map((one) => one.name).join(', ')}; \`agon bench datasets\` describes them.`,
    );
  return { format, option: option ?? null };
}

/** The format of a row by what it holds: ours when it is in our words, else the one that fits, else ours. */
export function recognizeFormat(row: DatasetRow, file: string): DataFormat {
  const [found, ...others] = listFormats()
    .map(({ format }) => format)
    .filter((format) => format.recognises(row, file));
  return found === undefined || found === agonFormat || others.length > 0 ? agonFormat : found;
}

/** The same of a file that is one JSON object, with its rows. */
export function recognizeDocument(document: DatasetRow): { format: DataFormat; rows: readonly DatasetRow[] } | null {
  const found = listFormats().flatMap(({ format }) => {
    const rows = format.rows?.(document);
    return rows ? [{ format, rows }] : [];
  });
  return found.length === 1 ? found[0]! : null;
}

export function assertFormatOf(format: DataFormat, job: string, file: string): void {
  const jobs = listFormats().find((known) => known.format === format)?.jobs ?? [];
  if (jobs.includes(job)) return;
  throw new AgonError(
    'wrong-format',
    `${file} is ${format.name}, which is data of ${jobs.join(' and ')}, not of ${job}.`,
    `Measure it with \`agon bench ${jobs[0]}\`, or name its layout with --format and --map.`,
  );
}
