import { resultOf } from '@agonhq/engine/debate';
import { AgonError, reviveError } from '@agonhq/engine/agon-error';
import { createUniqueKeys, type ItemLine } from '@agonhq/engine/items';
import { assertHeard, createJobs, type Job, type JobAnswer } from '@agonhq/judges/job';
import type { Ledger, NewRunItem } from '@agonhq/ledger';
import { ownBlocks } from '@agonhq/core/own-blocks';
import {
  assertInputBegins,
  createRunId,
  isMistake,
  nameDataset,
  openResultFile,
  openRunItems,
  runItems,
  type RunReading,
} from '@agonhq/core/runs';
import type { EmptyFlags } from '../define-command.ts';
import { countLines } from '../files.ts';
import { startLearning } from '../learning/start-learning.ts';
import { openAgon, recordRun, type RecordedAgon } from '../open-agon.ts';
import { exitCodes, formatError, noItemsError, nothingJudgedError } from '../print-error.ts';
import { resultsToStandardOutput } from '../process.ts';
import { readReading, type ItemsFlags } from '../read-flags.ts';
import { readJobSettings, type SettingsFlags } from '../read-settings.ts';
import { printCount } from '../terminal/format.ts';
import { withProgress } from '../terminal/progress-line.ts';
import { sanitize } from '../terminal/style.ts';
import { findView, type JobView } from '../views/watch-case.ts';
import { openCheckReports, type CheckReports } from './check-reports.ts';

/** The flags of every command that judges a file of items without a run. */
export interface FileFlags extends ItemsFlags, SettingsFlags, EmptyFlags {
  out?: string;
  concurrency: number;
  order: 'input' | 'as-done';
  report?: string[];
  failOn?: string[];
  quiet?: boolean;
  /** The model that answered, where an item does not say. */
  evaluatedModel?: string;
}

/**
 * Judges every item of a file into `--out` or standard output, with progress on standard error. An interrupted batch
 * resumes from `--out`. Returns the exit code.
 */
export async function judgeFile(job: Job, command: string, flags: FileFlags & { file: string }): Promise<number> {
  const reports = await openCheckReports(job, command, flags);
  const given = await readJobSettings(flags, { kind: 'judge', job }, createJobs([job], ownBlocks));
  const reading = readReading(job, flags);
  await assertInputBegins(job, flags.file, reading);
  const run = createRunId();
  const agon = await openAgon(given, { only: [job.id], occasion: { run, isTriedAgain: true } });
  const labels = openLabels(job, agon.ledger, flags.file);
  try {
    const { configuration } = agon.provenanceOf(job);
    const batch = { job, view: await findView(job), agon, configuration, reading, labels, reports };
    const row = { id: run, job: job.id, configuration, input: flags.file };
    const code = await recordRun(agon.ledger, row, () => judgeItems(flags, batch));
    const started = labels.countWrong() > 0 ? await startLearning(given.settings, flags) : null;
    const notes = [labels.describe(), started].filter(Boolean);
    if (notes.length > 0 && !flags.quiet) process.stderr.write(`${notes.join(' ')}\n`);
    return code;
  } finally {
    await agon.close();
  }
}

interface Batch {
  job: Job;
  view: JobView;
  agon: RecordedAgon;
  configuration: string;
  reading: RunReading;
  labels: ReturnType<typeof openLabels>;
  reports: CheckReports;
}

async function judgeItems(flags: FileFlags & { file: string }, batch: Batch): Promise<number> {
  const { job, view, agon, configuration, reading, labels, reports } = batch;
  const counts: Record<string, number> = Object.fromEntries(job.labels.map((label) => [label, 0]));
  const count = (label: string) => (counts[label] = (counts[label] ?? 0) + 1);
  const out =
    flags.out === undefined
      ? { done: new Set<string>(), ...resultsToStandardOutput }
      : await openResultFile(flags.out, (record) => {
          count(readEarlierLabel(job, configuration, record.result, flags.out!));
          reports.add(record);
        });
  const warned = new Set<string>();
  // Only files on this machine: nothing is stored for others.
  const files = { find: async () => undefined, local: true };
  const hint =
    flags.out === undefined
      ? 'With --out FILE, the next run can continue where this one stopped.'
      : 'Run the same command again to continue.';
  try {
    const summary = await withProgress({ ...flags, spent: () => agon.spent(), hint }, async (line, stopped) => {
      const done = await runItems<NewRunItem, JobAnswer>({
        items: readItemLines(job, flags, reading, stopped, line.note),
        async judge({ input, expected }, signal) {
          const opened = await job.items.openItem(input, files, { evaluatedModel: flags.evaluatedModel ?? null });
          const answer = await resultOf(agon.judge(job, opened.input, { ...opened.options, signal }));
          assertHeard(job, answer);
          await labels.record(answer, expected);
          for (const warning of view.listWarnings?.(answer) ?? []) {
            if (!warned.has(warning)) line.note(warning);
            warned.add(warning);
          }
          return answer;
        },
        async write(record) {
          await out.write(record);
          reports.add(record);
          if (record.result) count(job.summarize(record.result as JobAnswer).label);
        },
        concurrency: flags.concurrency,
        order: flags.order,
        done: out.done,
        total: await countItems(job, flags),
        isFatal: isMistake,
        onProgress: line.show,
        onError: (error, at) => line.note(`line ${at}: ${formatError(error)}`),
        signal: stopped,
      });
      if (done.total !== 0) line.end(done, counts);
      return done;
    });
    const nothing = summary.total === 0 ? noItemsError(flags.file) : null;
    await reports.write(flags.allowEmpty ? null : nothing);
    if (nothing) throw nothing;
    if (summary.judged + summary.skipped === 0) throw nothingJudgedError(flags.file);
    if (summary.failed > 0) return exitCodes.failed;
    return flags.failOn?.some((label) => (counts[label] ?? 0) > 0) ? exitCodes.failOn : exitCodes.judged;
  } finally {
    await out.close();
  }
}

/** Each item once by its key, however often the key comes. */
async function* readItemLines(
  job: Job,
  { file, quiet }: FileFlags & { file: string },
  reading: RunReading,
  signal: AbortSignal,
  note: (text: string) => void,
): AsyncGenerator<ItemLine<NewRunItem>, void, void> {
  const unique = createUniqueKeys();
  const items = openRunItems(null, job, file, { ...reading, keyByLine: true });
  for await (const item of items({ signal, ...(quiet ? {} : { onNote: note }) })) {
    const place = { line: item.position, key: unique(item.key) };
    yield item.error ? { ...place, error: reviveError(item.error) } : { ...place, item };
  }
}

/** How many items there are, for the time left; undefined where only reading the file would tell. */
async function countItems(job: Job, { file, format }: FileFlags & { file: string }): Promise<number | undefined> {
  if (file === '-' || (format ?? 'jsonl') !== 'jsonl' || /\.(csv|tsv|tab)$/i.test(file)) return undefined;
  const imported = await job.items.importFile?.(file);
  return imported ? undefined : countLines(file);
}

/** The verdict of an earlier batch, which must have used the same models, policy and rules. */
function readEarlierLabel(job: Job, configuration: string, result: unknown, file: string): string {
  const answer = result as Partial<JobAnswer> | null;
  if (answer?.job !== job.id || !answer.provenance)
    throw new AgonError(
      'not-results',
      `${file} holds results of another command.`,
      'Nothing was changed. Choose another --out, or remove the file.',
    );
  if (answer.provenance.configuration === configuration) return job.summarize(answer as JobAnswer).label;
  throw new AgonError(
    'other-configuration',
    `${file} holds results of another configuration (other models, policy or rules).`,
    'Choose another --out, or delete the file to judge everything again.',
  );
}

/** Records the labels of items beside their verdicts, so that Agon can learn from them. */
function openLabels(job: Job, ledger: Ledger | null, file: string) {
  const by = `dataset:${nameDataset(file)}`;
  const counts = { recorded: 0, wrong: 0, lost: 0 };
  let reason = '';
  return {
    /** A label that cannot be recorded costs no verdict. */
    async record(answer: JobAnswer, label: string | null | undefined): Promise<void> {
      if (!ledger || !job.usesPolicy || (label !== 'safe' && label !== 'unsafe')) return;
      try {
        await ledger.decisions.recordDecision({ case: answer.id, label, by });
        counts.recorded += 1;
        if (job.summarize(answer).label !== label) counts.wrong += 1;
      } catch (error) {
        counts.lost += 1;
        reason = (error as Error).message;
      }
    },
    countWrong: () => counts.wrong,
    describe(): string | null {
      if (counts.recorded + counts.lost === 0) return null;
      const lost = counts.lost > 0 ? ` ${counts.lost} could not be recorded: ${reason}` : '';
      const wrong = printCount(counts.wrong, 'wrong verdict');
      return `${printCount(counts.recorded, 'label')} recorded as ${sanitize(by)}: ${wrong}.${lost}`;
    },
  };
}
