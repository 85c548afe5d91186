import { AgonError } from '../../errors.ts';
import { withRetries, type Ledger, type RunRow } from '../../ledger/index.ts';
import {
  assertInputBegins,
  conductRun,
  loadItems,
  createRunId,
  readRunPlan,
  planRun,
  findProvenance,
  startRun,
  type RunItems,
  type RunPlan,
  type RunProgress,
} from '../../runs/index.ts';
import { mergeSettings, type Settings } from '../../settings/index.ts';
import type { AgonPool } from '../agon-pool.ts';
import { errorCode, errorTrace, type LogLine } from '../log.ts';
import type { EventFeed } from '../event-feed.ts';
import { sweepUploads } from '../http/upload-storage.ts';
import type { UploadedFile } from '../http/read-upload.ts';
import { findRunById, watchRuns, type RunMoment } from './read-run.ts';
import { readOrder, openRunFiles } from './run-files.ts';
import { createConcurrencyLimit } from '../concurrency-limit.ts';

/** What a run is made from: the fields of its request, and its files. */
export interface RunOrder {
  job: string;
  name?: string;
  format?: 'jsonl' | 'csv' | 'tsv';
  map?: Record<string, string>;
  labels?: Record<string, string>;
  evaluatedModel?: string;
  concurrency?: number;
  budgetUsd?: number;
  files: readonly UploadedFile[];
}

/** The runs that this server works on. */
export interface ServerRuns {
  create(order: RunOrder): Promise<RunRow>;
  resume(id: string): Promise<RunRow>;
  cancel(id: string): Promise<{ run: RunRow; waiting: number }>;
  retryFailed(id: string): Promise<{ run: RunRow; waiting: number }>;
  isLive(id: string): boolean;
  /** Where the files of a run lie, which is nobody's business. */
  folderOf(id: string): string;
  /** The progress of a run, live or by looking at the ledger now and then; the last moment is the one it ended with. */
  progress(id: string, signal: AbortSignal): AsyncIterable<RunMoment>;
  /** Drops files that no run needs any more. */
  sweep(): Promise<void>;
  /** Takes up what an earlier server left. */
  resumeUnfinished(): Promise<void>;
  /** Stops what is under way, for the next server to go on with. */
  close(): Promise<void>;
}

export interface ServerRunsOptions {
  ledger: Ledger;
  settings: Settings;
  environment: Record<string, string | undefined>;
  agons: AgonPool;
  feed: EventFeed;
  /** Where inputs are kept until their run has ended. */
  folder: string;
  log: (line: LogLine) => void;
}

/** Runs that are conducted at once, and items of each: what is asked over HTTP wants to be answered too. */
const runsAtOnce = 2;
const usualConcurrency = 8;
interface ActiveRun {
  stop: AbortController;
  run: RunRow;
  /** Null while it waits for its turn. */
  progress: RunProgress | null;
  ended: Promise<void>;
}

export async function openServerRuns({
  ledger: opened,
  settings,
  environment,
  agons,
  feed,
  folder,
  log,
}: ServerRunsOptions): Promise<ServerRuns> {
  // A database that restarts is waited for; a file is there or it is not.
  const ledger =
    opened.kind === 'postgresql'
      ? withRetries(opened, { onWait: ({ code }) => log({ level: 'warn', event: 'ledger-away', code }) })
      : opened;
  const files = await openRunFiles(folder);
  const carried = new Map<string, ActiveRun>();
  const places = createConcurrencyLimit({ concurrency: runsAtOnce });
  /** Inputs of waiting runs are read in one after the other. */
  const readers = createConcurrencyLimit({ concurrency: 1 });
  const closing = new AbortController();
  const watcher = watchRuns(ledger, (id) => carried.get(id), closing.signal);
  await sweepUploads(folder);
  await sweep();

  function sweep(): Promise<void> {
    return files
      .sweep(ledger)
      .catch((error: unknown) => log({ level: 'warn', event: 'sweep', code: errorCode(error) }));
  }

  const onRecord = (id: string) => findRunById(id, ledger);

  async function planned({
    job,
    budgetUsd,
    evaluatedModel,
    concurrency,
  }: RunOrder): Promise<{ plan: RunPlan; configuration: string }> {
    const agon = await agons.agonFor(job);
    const spending = budgetUsd === undefined ? settings : mergeSettings(settings, { budget: { runUsd: budgetUsd } });
    const plan = await planRun({ job, settings: spending, agon, evaluatedModel: evaluatedModel ?? null, environment });
    return {
      plan: { ...plan, ...(concurrency === undefined ? {} : { concurrency }) },
      configuration: findProvenance(agon, job).configuration,
    };
  }

  /** Works on a run until it ends or is stopped; at once, or when its turn comes. */
  function carry(run: RunRow, unlock: () => Promise<void>): void {
    const one: ActiveRun = { stop: new AbortController(), run, progress: null, ended: Promise.resolve() };
    carried.set(run.id, one);
    watcher.forget(run.id);
    if (closing.signal.aborted) one.stop.abort();
    one.ended = carryOn(one, unlock);
  }

  async function carryOn(one: ActiveRun, unlock: () => Promise<void>): Promise<void> {
    try {
      await work(one);
      await ended(one, null);
    } catch (error) {
      await ended(one, error);
    } finally {
      carried.delete(one.run.id);
      watcher.forget(one.run.id);
      await unlock();
    }
  }

  async function work(one: ActiveRun): Promise<void> {
    const { signal } = one.stop;
    const plan = readRunPlan(one.run);
    const items = await files.openItems(ledger, one.run, plan);
    const end =
      places.held >= runsAtOnce && items ? await readWhileWaiting(one.run, items, signal) : await places.enter(signal);
    try {
      one.run = await onRecord(one.run.id);
      if (one.run.state !== 'running') return;
      await conductRun({
        ledger,
        run: one.run,
        own: settings,
        environment,
        signal,
        readFiles: agons.readFiles,
        items: one.run.total === null ? (items?.({ signal }) ?? null) : null,
        concurrency: plan.concurrency ?? usualConcurrency,
        onProgress: (progress) => void (one.progress = progress),
      });
    } finally {
      end();
    }
  }

  /** What waits can be seen to wait, and workers on other machines may take it. */
  async function readWhileWaiting(run: RunRow, items: RunItems, signal: AbortSignal): Promise<() => void> {
    const stop = new AbortController();
    const reading = readIn(run, items, AbortSignal.any([signal, stop.signal]));
    try {
      return await places.enter(signal);
    } finally {
      stop.abort();
      await reading;
    }
  }

  async function readIn({ id }: RunRow, items: RunItems, signal: AbortSignal): Promise<void> {
    try {
      const end = await readers.enter(signal);
      try {
        await loadItems(ledger, id, items({ signal }), { signal, gently: true });
      } finally {
        end();
      }
    } catch (error) {
      // What is wrong with the input is told when the run has its turn.
      if (!signal.aborted) log({ level: 'warn', event: 'run-input', run: id, code: errorCode(error) });
    }
  }

  async function ended({ run: { id }, stop }: ActiveRun, error: unknown): Promise<void> {
    const stopped = closing.signal.aborted || (stop.signal.aborted && error === stop.signal.reason);
    try {
      let run = await onRecord(id);
      if (
        run.state === 'running' &&
        error !== null &&
        !stop.signal.aborted &&
        AgonError.is(error) &&
        !passingCodes.has(error.code)
      ) {
        await ledger.runs.endRun(id, 'failed', `${error.message} ${error.hint} (${error.code})`);
        run = await onRecord(id);
      }
      if (error !== null && !stopped && run.state !== 'cancelled')
        log({
          ...(AgonError.is(error) ? { level: 'warn' } : { level: 'error', error: errorTrace(error) }),
          event: 'run',
          run: id,
          state: run.state,
          code: errorCode(error),
        });
      else log({ level: 'info', event: 'run', run: id, state: run.state });
      if (run.state === 'running' || (run.state === 'stopped' && run.problem === null)) return;
      if (run.state === 'finished' && (await ledger.runs.countItems(id)).failed === 0) await files.drop(id);
      feed.publish({
        type: 'run-ended',
        at: new Date().toISOString(),
        run: {
          id,
          name: run.name,
          job: run.job,
          state: run.state,
          problem: run.problem?.replaceAll(files.folderOf(id), 'the upload') ?? null,
        },
      });
    } catch (failure) {
      log({ level: 'error', event: 'run', run: id, code: errorCode(failure), error: errorTrace(failure) });
    }
  }

  async function resume(id: string): Promise<RunRow> {
    const run = await onRecord(id);
    readRunPlan(run);
    await files.assertInput(run);
    const unlock = await files.lock(id);
    try {
      await assertLeft(run);
      if (run.state !== 'running') await ledger.runs.reopenRun(id);
      const reopened = await onRecord(id);
      carry(reopened, unlock);
      return reopened;
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** A finished run has nothing left, unless failed items were put back. */
  async function assertLeft({ id, state }: RunRow): Promise<void> {
    if (state === 'finished' && (await ledger.runs.isRunOver(id)))
      throw new AgonError(
        'finished-run',
        `The run ${id} is finished: nothing is left to judge.`,
        `Its results: GET /api/runs/${id}/export; POST /api/runs/${id}/retry-failed judges failed items again.`,
      );
  }

  return {
    isLive: (id) => carried.has(id),
    folderOf: files.folderOf,
    progress: watcher.progress,
    resume,

    async create(order) {
      const id = createRunId();
      const reading = readOrder(order, files.folderOf(id));
      try {
        const input = await files.keep(id, order.files, order.format);
        await assertInputBegins(order.job, input, reading);
        const { plan, configuration } = await planned(order);
        const unlock = await files.lock(id);
        try {
          const run = await startRun(ledger, {
            id,
            name: order.name ?? null,
            input,
            plan: { ...plan, reading },
            configuration,
          });
          carry(run, unlock);
          return run;
        } catch (error) {
          await unlock();
          throw error;
        }
      } catch (error) {
        await files.drop(id);
        throw error;
      }
    },

    async cancel(id) {
      const run = await onRecord(id);
      if (run.state === 'finished' && !carried.has(id))
        throw new AgonError(
          'finished-run',
          `The run ${id} is finished: nothing is left to cancel.`,
          `Look at it: GET /api/runs/${id}.`,
        );
      await ledger.runs.endRun(id, 'cancelled');
      const one = carried.get(id);
      one?.stop.abort(
        new AgonError('cancelled', 'The run was cancelled.', `Go on with it: POST /api/runs/${id}/resume.`),
      );
      await one?.ended;
      const waiting = await ledger.runs.cancelRun(id);
      watcher.forget(id);
      return { run: await onRecord(id), waiting };
    },

    async retryFailed(id) {
      const run = await onRecord(id);
      readRunPlan(run);
      await files.assertInput(run);
      const waiting = await ledger.runs.retryFailedItems(id);
      return { run: waiting === 0 || carried.has(id) ? await onRecord(id) : await resume(id), waiting };
    },

    sweep,

    async resumeUnfinished() {
      const left = await ledger.runs.listRuns({ states: ['running', 'stopped'] });
      for (const run of left.toReversed()) {
        if ((run.state === 'stopped' && run.problem !== null) || carried.has(run.id) || !(await files.hasInput(run)))
          continue;
        try {
          await resume(run.id);
        } catch (error) {
          log({ level: 'warn', event: 'run', run: run.id, state: run.state, code: errorCode(error) });
        }
      }
    },

    async close() {
      closing.abort();
      const all = [...carried.values()];
      for (const { stop } of all)
        stop.abort(new AgonError('cancelled', 'The server was stopped.', 'The next one goes on with the run.'));
      await Promise.all(all.map(({ ended: over }) => over));
    },
  };
}

/** What may be otherwise when the next server takes the run up. */
const passingCodes = new Set([
  'ledger-unreachable',
  'ledger-conflict',
  'ledger-failed',
  'locked-ledger',
  'full-disk',
  'read-only-ledger',
]);
