import { AgonError } from '../../errors.ts';
import type { BenchJob } from '../result.ts';
import { airBench, hatecheck, openaiModeration, toxicchat } from '../jobs/moderation/formats.ts';
import { beavertails, diasafety, doNotAnswer, implicitToxicity, redTeamAttempts } from '../jobs/evaluation/formats.ts';
import { contractNli, findver, summedits, tabfact } from '../jobs/documents/formats.ts';
import { type DataFormat, type Row, has } from './format.ts';
import { harmbench, xstest, jailbreakbench } from '../jobs/safety/formats.ts';

/** Our own lines, and what is read when nothing else fits. */
const agon: DataFormat = {
  name: 'agon',
  jobs: ['moderation', 'evaluation', 'documents'],
  description: 'Our own: id, label and what is judged; category, raters and trivial where they are known.',
  source: 'written by you, or by an export of Agon',
  columns:
    'id, label, category, raters, trivial; text, image, image_description | prompt, response (or messages), ' +
    'model, risk, behaviour | claim, doc or doc_text, evidence_ids',
  recognises: (row) =>
    has(row, 'label') &&
    (isContent(row) || has(row, 'prompt', 'response') || has(row, 'messages') || has(row, 'claim')),
  read: (row) => [row],
};

/** Any table or list of objects, its columns named by --map. */
const generic: DataFormat = {
  ...agon,
  name: 'generic',
  description:
    'Any JSONL, CSV, TSV or JSON list: --map names the columns (text=comment,label=is_toxic), --map-label the labels.',
  source: 'anywhere',
  columns: 'as --map says; a column with one of our own names needs none',
  recognises: () => false,
};

function isContent(row: Row): boolean {
  return has(row, 'text') || has(row, 'image') || has(row, 'image_description');
}

export { agon, generic };
export type { DataFormat, ItemFields, Row, RowContext } from './format.ts';

/** Every layout that can be read, our own first. */
export const dataFormats: readonly DataFormat[] = [
  agon,
  generic,
  airBench,
  hatecheck,
  openaiModeration,
  toxicchat,
  harmbench,
  xstest,
  jailbreakbench,
  beavertails,
  diasafety,
  doNotAnswer,
  implicitToxicity,
  redTeamAttempts,
  contractNli,
  findver,
  summedits,
  tabfact,
];

/** The format that `--format NAME` or `NAME:OPTION` asks for. */
export function findFormat(asked: string): { format: DataFormat; option: string | null } {
  const [name, option] = asked.split(/:(.*)/s, 2) as [string, string?];
  const format = dataFormats.find((one) => one.name === name);
  if (!format)
    throw new AgonError(
      'bad-flag',
      `There is no format ${name}.`,
      `Formats are ${dataFormats.map((one) => one.name).join(', ')}; \`agon bench datasets\` describes them.`,
    );
  return { format, option: option ?? null };
}

/** The format of a row by what it holds: ours when it is in our words, else the one that fits, else ours. */
export function recognizeFormat(row: Row, file: string): DataFormat {
  const [found, ...others] = dataFormats.filter((format) => format.recognises(row, file));
  return found === undefined || found === agon || others.length > 0 ? agon : found;
}

/** The same of a file that is one JSON object, with its rows. */
export function recognizeDocument(document: Row): { format: DataFormat; rows: readonly Row[] } | null {
  const found = dataFormats.flatMap((format) => {
    const rows = format.rows?.(document);
    return rows ? [{ format, rows }] : [];
  });
  return found.length === 1 ? found[0]! : null;
}

export function assertFormatOf(format: DataFormat, job: BenchJob, file: string): void {
  if (format.jobs.includes(job)) return;
  const jobs = format.jobs.join(' and ');
  throw new AgonError(
    'wrong-format',
    `${file} is ${format.name}, which is data of ${jobs}, not of ${job}.`,
    `Measure it with \`agon bench ${format.jobs[0]}\`, or name its layout with --format and --map.`,
  );
}
