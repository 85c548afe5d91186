import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import type { RunRow } from '@agonhq/ledger';
import { conductRun, loadItems, readRunPlan, type RunItems, type RunProgress } from '@agonhq/core/runs';
import { createConcurrencyLimit } from '@agonhq/engine/concurrency-limit';
import { errorCode, errorTrace } from '../log.ts';
import { findRunById, watchRuns } from './read-run.ts';
import type { RunFiles } from './run-files.ts';
import type { ServerRunsOptions } from './server-runs.ts';

/** Runs that are conducted at once, and items of each: what is asked over HTTP wants to be answered too. */
const runsAtOnce = 2;
const usualConcurrency = 8;

interface ActiveRun {
  stop: AbortController;
  run: RunRow;
  /** Null while it waits for its turn. */
  progress: RunProgress | null;
  /** Who conducts a run says how it ended. */
  isConducted: boolean;
  ended: Promise<void>;
}

/** What may be otherwise in a while, or when the next server takes the run up. */
const passingCodes = new Set([
  'ledger-unreachable',
  'ledger-conflict',
  'ledger-failed',
  'locked-ledger',
  'full-disk',
  'read-only-ledger',
]);
const passes = (error: unknown): boolean => AgonError.is(error) && passingCodes.has(error.code);

const isCancel = (error: unknown): boolean => AgonError.is(error) && error.code === 'cancelled';

/** How long a run waits for what may pass, before it is tried again. */
const pauseMs = { first: 1_000, longest: 60_000 };

/** Conducts runs on this server, a few at once; the others wait for their turn. */
export function createRunConductor({
  jobs,
  ledger,
  settings,
  environment,
  agons,
  feed,
  log,
  files,
}: Omit<ServerRunsOptions, 'folder'> & { files: RunFiles }) {
  const active = new Map<string, ActiveRun>();
  const started = new Set<string>();
  const places = createConcurrencyLimit({ concurrency: runsAtOnce });
  /** Inputs of waiting runs are read in one after the other. */
  const readers = createConcurrencyLimit({ concurrency: 1 });
  const draining = new AbortController();
  const closing = new AbortController();
  const watcher = watchRuns(ledger, (id) => active.get(id), { draining: draining.signal, closing: closing.signal });

  /** Works on a run until it ends or is stopped; at once, or when its turn comes. */
  function start(run: RunRow, unlock: () => Promise<void>): void {
    const one: ActiveRun = {
      stop: new AbortController(),
      run,
      progress: null,
      isConducted: false,
      ended: Promise.resolve(),
    };
    active.set(run.id, one);
    started.add(run.id);
    watcher.forget(run.id);
    if (closing.signal.aborted) one.stop.abort();
    one.ended = conductUntilEnd(one, unlock);
  }

  async function conductUntilEnd(one: ActiveRun, unlock: () => Promise<void>): Promise<void> {
    try {
      await recordEnd(one, await conductPatiently(one));
    } finally {
      active.delete(one.run.id);
      watcher.forget(one.run.id);
      await unlock();
    }
  }

  /**
   * Goes on by itself when a disk has room again, or the database is back; returns what ended it, null where it is
   * done.
   */
  async function conductPatiently(one: ActiveRun): Promise<unknown> {
    let waited: string | null = null;
    for (let ms = pauseMs.first; ; ms = Math.min(2 * ms, pauseMs.longest)) {
      try {
        if (waited) await reopenAfter(one, waited);
        await conductInTurn(one);
        return null;
      } catch (error) {
        // It may not have been able to say so.
        if (passes(error)) one.isConducted = false;
        if (!passes(error) || one.stop.signal.aborted || (waited && draining.signal.aborted)) return error;
        waited = errorCode(error);
        log({ level: 'warn', event: 'run', run: one.run.id, state: 'running', code: waited });
        one.progress = null;
        const signal = AbortSignal.any([one.stop.signal, draining.signal]);
        await pause(ms, undefined, { signal }).catch(() => undefined);
        if (one.stop.signal.aborted) return one.stop.signal.reason;
      }
    }
  }

  /** Where the ledger could still be told that the run had failed, it was. */
  async function reopenAfter({ run: { id } }: ActiveRun, code: string): Promise<void> {
    const run = await findRunById(id, ledger);
    if (run.state === 'failed' && run.problem?.endsWith(`(${code})`)) await ledger.runs.reopenRun(id);
  }

  async function conductInTurn(one: ActiveRun): Promise<void> {
    const { signal } = one.stop;
    const plan = readRunPlan(jobs, one.run);
    const items = await files.openItems(ledger, one.run, plan);
    const end =
      places.held >= runsAtOnce && items ? await readWhileWaiting(one.run, items, signal) : await places.enter(signal);
    try {
      one.run = await findRunById(one.run.id, ledger);
      if (one.run.state !== 'running') return;
      // Others go on with what is on record; only this server can read the rest.
      if (draining.signal.aborted && (one.run.total !== null || !ledger.fleet)) throw makeLeftError();
      one.isConducted = true;
      await conductRun({
        jobs,
        ledger,
        run: one.run,
        own: settings,
        environment,
        signal,
        drain: draining.signal,
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
    const reading = readItems(run, items, AbortSignal.any([signal, stop.signal]));
    try {
      return await places.enter(signal);
    } finally {
      // When this server stops, nobody else can read it: it is read to its end.
      if (!draining.signal.aborted || !ledger.fleet) stop.abort();
      await reading;
    }
  }

  async function readItems({ id }: RunRow, items: RunItems, signal: AbortSignal): Promise<void> {
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

  async function recordEnd({ run: { id }, stop, isConducted }: ActiveRun, error: unknown): Promise<void> {
    const left = draining.signal.aborted || closing.signal.aborted;
    const stopped = isCancel(error) && (left || (stop.signal.aborted && error === stop.signal.reason));
    try {
      let run = await findRunById(id, ledger);
      if (left && !isConducted && run.state === 'running' && run.total !== null) {
        await ledger.runs.endRun(id, 'stopped');
        run = await findRunById(id, ledger);
      }
      const isItsOwn = error !== null && !stop.signal.aborted && !isCancel(error) && !passes(error);
      if (run.state === 'running' && AgonError.is(error) && isItsOwn) {
        await ledger.runs.endRun(id, 'failed', `${error.message} ${error.hint} (${error.code})`);
        run = await findRunById(id, ledger);
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

  return {
    isActive: (id: string) => active.has(id),
    /** Whether this server has worked on it since it began. */
    wasStarted: (id: string) => started.has(id),
    isAnyActive: () => active.size > 0,
    progress: watcher.progress,
    start,

    /** Ends the work on a run, where this server has it; returns how many of its items are given up. */
    async cancel(id: string): Promise<number> {
      const one = active.get(id);
      one?.stop.abort(
        new AgonError('cancelled', 'The run was cancelled.', `Go on with it: POST /api/runs/${id}/resume.`),
      );
      await one?.ended;
      const waiting = await ledger.runs.cancelRun(id);
      watcher.forget(id);
      return waiting;
    },

    /** Nothing more is begun; ends when what is in hand has its outcome, and others can go on with the rest. */
    async drain(signal: AbortSignal): Promise<void> {
      draining.abort();
      const late = signal.aborted ? null : once(signal, 'abort');
      // One that was being made while the first ended is on its way, too.
      while (active.size > 0 && !signal.aborted)
        await Promise.race([Promise.all([...active.values()].map((one) => one.ended)), late]);
    },

    async close(): Promise<void> {
      closing.abort();
      const all = [...active.values()];
      for (const { stop } of all) stop.abort(makeLeftError());
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

function makeLeftError(): AgonError {
  return new AgonError('cancelled', 'The server was stopped.', 'The next one goes on with the run.');
}
