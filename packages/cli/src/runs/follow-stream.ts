import path from 'node:path';
import { openDocumentReaders, reportEmbedding } from '@agonhq/core/app';
import { badFlag } from '@agonhq/engine/agon-error';
import type { Job } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { lockOutput, openStreamJudge, type Cascade } from '@agonhq/core/runs';
import {
  isFile,
  keepInFile,
  keepInLedger,
  keepNowhere,
  nameStream,
  nowhere,
  openLineSink,
  openSink,
  openSource,
  runStream,
  type PositionStore,
  type Sink,
  type StreamCounts,
} from '@agonhq/core/streams';
import type { RunFlags } from '../define-command.ts';
import { openRunLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { limitHeapGrowth, listenForInterrupt, printLine } from '../process.ts';
import { readReading } from '../read-flags.ts';
import { readJobSettings, type CommandSettings } from '../read-settings.ts';
import { printCount, formatInteger } from '../terminal/format.ts';
import { sanitize } from '../terminal/style.ts';
import { makePlan, readCascade } from './start-run.ts';

export type FollowFlags = RunFlags & { follow: string };

/** Judges a stream for as long as it goes on, or until somebody stops it. Returns the exit code. */
export async function followStream(job: Job, flags: FollowFlags): Promise<number> {
  const given = await readJobSettings(flags, { kind: 'run', job });
  const { settings } = given;
  assertUsage(flags);
  limitHeapGrowth();
  const ledger = settings.ledger === false ? null : await openRunLedger(settings);
  try {
    const root = path.resolve(flags.root ?? (isFile(flags.follow) ? path.dirname(flags.follow) : '.'));
    const reading = { ...readReading(job, { ...flags, file: flags.follow }), root };
    const cascade = await readCascade(ledger, { job, flags, ...given, reading });
    return await followOn(ledger, { job, flags, ...given, reading, cascade });
  } finally {
    await ledger?.close();
  }
}

interface Following extends CommandSettings {
  job: Job;
  flags: FollowFlags;
  reading: ReturnType<typeof readReading> & { root: string };
  cascade: Cascade | null;
}

async function followOn(
  ledger: Ledger | null,
  { job, flags, settings, jobs, reading, cascade }: Following,
): Promise<number> {
  const interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const onNote = (text: string) => void process.stderr.write(`agon: ${sanitize(text)}\n`);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => interrupt.dispose());
  const stream = flags.name ?? nameStream(flags.follow);
  const sink = await openOutput(flags, ledger, opened, { onNote, signal });
  const deadLetters = flags.deadLetters === undefined ? null : await openSink(flags.deadLetters, { onNote, signal });
  if (deadLetters) opened.defer(() => deadLetters.close());
  const source = await openSource(flags.follow, { positions: placePositions(flags, ledger, stream), onNote });
  opened.defer(() => source.close());
  const { plan } = await makePlan(ledger, { job, flags, settings, jobs, reading }, cascade);
  const readers = openDocumentReaders({ own: true });
  opened.defer(() => readers.close());
  const { concurrency } = flags;
  const judge = await openStreamJudge(plan, {
    jobs,
    ledger,
    concurrency,
    own: settings,
    worker: `stream:${process.pid}`,
    readFiles: readers.readFiles,
    onEmbedding: reportEmbedding(onNote),
  });
  opened.defer(() => judge.close());
  const progress = tellProgress(flags);
  if (!flags.quiet) onNote(`Following ${source.name}; results go to ${sink.name}. Ctrl-C ends it.`);
  const counts = await runStream({
    stream,
    source,
    sink,
    deadLetters,
    concurrency,
    signal,
    surface: 'cli',
    judge: (record, stop) => judge.judge(record.offset, record.content.text, stop),
    onProgress: progress.show,
  });
  progress.end(counts);
  return exitCodes.judged;
}

async function openOutput(
  { out, json }: FollowFlags,
  ledger: Ledger | null,
  opened: AsyncDisposableStack,
  options: Parameters<typeof openSink>[1],
): Promise<Sink> {
  if (out === undefined) {
    if (json) return openLineSink('standard output', printLine);
    if (ledger) return nowhere;
    throw badFlag('Nothing would be kept of the results.', 'Add --out, --json or a ledger.');
  }
  if (isFile(out)) opened.defer(await lockOutput(path.resolve(out)));
  const sink = await openSink(out, options);
  opened.defer(() => sink.close());
  return sink;
}

/** Brokers and databases keep themselves how far they were read; of a file it is kept beside the output. */
function placePositions({ follow, out }: FollowFlags, ledger: Ledger | null, stream: string): PositionStore {
  if (!isFile(follow)) return keepNowhere;
  if (out !== undefined && isFile(out)) return keepInFile(`${path.resolve(out)}.offset`);
  return ledger ? keepInLedger(ledger, `${path.resolve(follow)} as ${stream}`) : keepNowhere;
}

const tellMs = 10_000;

/** A line now and then on standard error, for people and for those who keep logs. */
function tellProgress({ quiet, json }: FollowFlags) {
  let reportedAt = performance.now();
  let ended = 0;
  const tell = (counts: StreamCounts, event: 'progress' | 'end', rate: number) => {
    const { judged, failed, skipped } = counts;
    const words = [
      `${printCount(judged, 'record')} judged`,
      failed > 0 && `${formatInteger(failed)} failed`,
      skipped > 0 && `${formatInteger(skipped)} had a result already`,
      event === 'progress' && `${formatInteger(Math.round(rate))} a second`,
    ];
    const line = json ? JSON.stringify({ event, ...counts, rate }) : `agon: ${words.filter(Boolean).join(', ')}`;
    if (!quiet) process.stderr.write(`${line}\n`);
  };
  return {
    show(counts: StreamCounts) {
      const seconds = (performance.now() - reportedAt) / 1000;
      if (seconds * 1000 < tellMs) return;
      const now = counts.judged + counts.failed;
      tell(counts, 'progress', (now - ended) / seconds);
      ended = now;
      reportedAt = performance.now();
    },
    end: (counts: StreamCounts) => tell(counts, 'end', 0),
  };
}

function assertUsage(flags: FollowFlags): void {
  const others = {
    '--file': flags.file,
    '--detach': flags.detach,
    '--estimate': flags.estimate,
    '--fail-on': flags.failOn,
  };
  const stray = Object.entries(others).find(([, value]) => value !== undefined);
  if (stray) throw badFlag(`${stray[0]} cannot be combined with --follow, which has no end.`, 'Leave one of them out.');
  if (flags.format !== undefined && flags.format !== 'jsonl')
    throw badFlag(`--follow reads JSON Lines, and no ${flags.format}.`, 'Leave out --format.');
  if (flags.cascade === undefined && (flags.risk !== undefined || flags.confidence !== undefined))
    throw badFlag('--risk and --confidence need --cascade.', 'Write --cascade --risk 0.05.');
  if (flags.out === '-')
    throw badFlag('--out - is not a file.', 'To write to standard output, use --json without --out.');
}
