import { AgonError } from '../../../errors.ts';
import type { BenchJob } from '../../result.ts';
import { airBench } from './air-bench.ts';
import { beavertails } from './beavertails.ts';
import { contractNli } from './contract-nli.ts';
import { diasafety } from './diasafety.ts';
import { doNotAnswer } from './do-not-answer.ts';
import { findver } from './findver.ts';
import type { DataFormat, Row } from './format.ts';
import { harmbench } from './harmbench.ts';
import { hatecheck } from './hatecheck.ts';
import { implicitToxicity } from './implicit-toxicity.ts';
import { jailbreakbench } from './jailbreakbench.ts';
import { openaiModeration } from './openai-moderation.ts';
import { agon, generic } from './ours.ts';
import { redTeamAttempts } from './red-team-attempts.ts';
import { summedits } from './summedits.ts';
import { tabfact } from './tabfact.ts';
import { toxicchat } from './toxicchat.ts';
import { xstest } from './xstest.ts';

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
