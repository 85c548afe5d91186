import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import type { Ledger, TakenItem, RunRow } from '@agonhq/ledger';
import type { Settings } from '../../settings/index.ts';
import { version } from '@agonhq/engine/version';
import type { RunJudgeOptions } from './open-judge.ts';
import { openRunner, type Runner } from './open-runner.ts';
import { describeRunProblem } from './pooled-journal.ts';
import { openRunJudges } from './open-run-judges.ts';
import { noteExpected } from './note-expected.ts';
import { repeatRegularly } from './repeat-regularly.ts';
import { createTakeSize } from './take-size.ts';
import { workOnRun } from './work-on-run.ts';

/** How long what was read of the runs holds: a cancelled run is noticed so soon. */
const freshMs = 1_000;

/** The runs that there is something to do for. */
function runsOnHand({ runs }: Ledger, only: readonly string[] | undefined) {
  let known: readonly RunRow[] = [];
  let readAt = -Infinity;
  const looked = new Map<string, number>();

  async function running(): Promise<readonly RunRow[]> {
    if (performance.now() - readAt > freshMs) {
      const all = await runs.listRuns({ states: ['running'] });
      // Those without a plan are the work of one process alone.
      known = all.filter(
        (run) =>
          run.settings !== null &&
          (only === undefined || only.includes(run.id) || (run.name !== null && only.includes(run.name))),
      );
      readAt = performance.now();
    }
    return known;
  }

  const isRunning = async (id: string): Promise<boolean> => (await running()).some((run) => run.id === id);

  return {
    running,
    /** As it stands at this moment. */
    async now(id: string): Promise<RunRow | undefined> {
      readAt = -Infinity;
      return runs.findRun(id);
    },
    isRunning,
    /**
     * Whether what was begun of a run is in vain. Of one that was stopped it is not: the server that conducted it may
     * have been, and what a call was made for would be asked again when the run goes on.
     */
    async isGivenUp(id: string): Promise<boolean> {
      if (await isRunning(id)) return false;
      const state = (await runs.findRun(id))?.state;
      return state !== 'running' && state !== 'stopped';
    },
    /** Ends a run whose items are all read and all judged; asked once a second at most. */
    async endIfDone({ id }: RunRow): Promise<boolean> {
      if (performance.now() - (looked.get(id) ?? -Infinity) < freshMs) return false;
      looked.set(id, performance.now());
      const run = await runs.findRun(id);
      if (!run || run.state !== 'running' || run.total === null) return false;
      if (!(await runs.isRunOver(id))) return false;
      await runs.endRun(id, 'finished');
      readAt = -Infinity;
      return true;
    },
    async stop(id: string, problem: string): Promise<void> {
      await runs.endRun(id, 'stopped', problem);
      readAt = -Infinity;
    },
  };
}

export interface WorkerOptions {
  /** Those of runs that this worker can judge. */
  jobs: Jobs;
  ledger: Ledger;
  /** Providers, keys, telemetry and folders of this machine. */
  own: Settings;
  environment?: Record<string, string | undefined>;
  /** Items judged at once. */
  concurrency: number;
  /** Nothing more is taken, what is in hand is judged to its end. */
  drain: AbortSignal;
  /** What is in hand is broken off and given back. */
  signal: AbortSignal;
  /** Only these runs. */
  runs?: readonly string[];
  /** Ends when no run has anything left. */
  untilIdle?: boolean;
  /** How documents are read; by default on this thread. */
  readFiles?: RunJudgeOptions['readFiles'];
  /** Reasoners of the caller's own, by seat; stronger than the plans of runs. */
  reasoners?: RunJudgeOptions['reasoners'];
  /** A worker that is not heard of for so long is dead. The same for all workers of a fleet. */
  heartbeatMs?: number;
  onLine?: (line: string) => void;
}

/** How a worker is, for probes and views. */
export interface WorkerStatus {
  worker: string;
  state: 'working' | 'draining';
  running: number;
  judged: number;
  failed: number;
  /** When the ledger last answered. */
  heardAt: number;
  /** Runs that this worker cannot judge, and why. */
  refused: Record<string, string>;
}

export interface FleetWorker {
  status(): WorkerStatus;
  /** When it has ended. */
  ended: Promise<void>;
}

/**
 * How soon a queue in which nothing was found is asked again: a little later each time, for there may be many
 * workers.
 */
const restMs = { first: 100, longest: 500 };
const beatMs = 1_000;
/** What every worker would meet; other mistakes (a wrong key) are this worker's own. */
const concernsTheRun = new Set(['budget-spent', 'models-away']);
/** Finding the items of dead workers costs a query for each run. */
const reclaimEvery = 3;

/**
 * Works on the items of every run that runs, beside any number of other workers: takes over what dead ones left,
 * sets poison items aside, shares the limits of models with the others.
 */
export async function workForFleet(options: WorkerOptions): Promise<FleetWorker> {
  const { ledger, concurrency, drain, signal, onLine = () => undefined } = options;
  const { fleet } = ledger;
  if (!fleet)
    throw new AgonError(
      'no-fleet',
      'Workers need a ledger on PostgreSQL.',
      'Name it: AGON_DATABASE_URL=postgres://…, or --ledger postgres://…; ' +
        'on one machine `agon run` needs no workers.',
    );
  const runner = await openRunner(ledger, {
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
    onProblem: (error) => onLine(`the items in hand could not be kept: ${describeRunProblem(error)}`),
  });
  const judges = openRunJudges(ledger, runner, options, onLine);
  const runs = runsOnHand(ledger, options.runs);
  const counts = { judged: 0, failed: 0 };
  let heardAt = Date.now();
  let beats = 0;
  let taking: Promise<unknown> = Promise.resolve();

  const status = (): WorkerStatus => ({
    worker: runner.worker,
    state: drain.aborted ? 'draining' : 'working',
    running: runner.pool.held().length,
    ...counts,
    heardAt,
    refused: judges.refused(),
  });
  await beat();
  return { status, ended: work() };

  async function work(): Promise<void> {
    const endBeating = repeatRegularly(beatMs, beat, (error) => onLine(describeRunProblem(error)));
    try {
      await workOnRun({
        queue: runner.queue,
        pool: runner.pool,
        items: items(runner),
        judgeOf: (run) => judges.of(run),
        concurrency,
        signal,
        onJudged: (judged) => noteExpected(options.jobs, ledger, judges.rowOf(judged.item.run), judged),
        onEnd({ outcome }) {
          counts['result' in outcome ? 'judged' : 'failed'] += 1;
        },
        onMistake: mistaken,
      });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await endBeating();
      await taking.catch(() => undefined);
      await runner.queue.giveBackItems(runner.pool.held());
      await judges.close();
      await fleet!.removeWorker(runner.worker);
      await runner[Symbol.asyncDispose]();
    }
  }

  /** Items of the runs in turn, so that a large run does not starve a small one. */
  async function* items({ queue, pool }: Runner): AsyncGenerator<TakenItem, void, void> {
    const takeSizes = new Map<string, ReturnType<typeof createTakeSize>>();
    const ending = AbortSignal.any([drain, signal]);
    let rest = restMs.first;
    while (!ending.aborted) {
      let found = 0;
      const running = await runs.running();
      await judges.keepOnly(running);
      for (const run of running) {
        if (ending.aborted) return;
        if (!(await judges.canJudge(run))) continue;
        const taken = await (taking = takeInHand(run.id));
        found += taken.length;
        for (const [place, item] of taken.entries()) {
          if (!(await runs.isRunning(run.id))) {
            await giveBack(taken.slice(place));
            break;
          }
          yield item;
        }
        if (taken.length === 0 && (await runs.endIfDone(run))) onLine(`${run.name ?? run.id} has finished`);
      }
      if (found > 0) {
        rest = restMs.first;
        continue;
      }
      if (options.untilIdle && pool.held().length === 0 && (await runs.running()).length === 0) return;
      await pause(rest, undefined, { signal: ending }).catch(() => undefined);
      rest = Math.min(2 * rest, restMs.longest);
    }

    async function takeInHand(run: string): Promise<readonly TakenItem[]> {
      const size = takeSizes.get(run) ?? createTakeSize(concurrency);
      takeSizes.set(run, size);
      const taken = await queue.takeItems(run, size.next());
      size.note(taken.length);
      for (const item of taken) pool.hold(item);
      return taken;
    }

    async function giveBack(items: readonly TakenItem[]): Promise<void> {
      await queue.giveBackItems(items);
      for (const item of items) pool.letGo(item);
    }
  }

  /** Says that this worker lives, looks after dead ones, and lets go of runs that were stopped. */
  async function beat(): Promise<void> {
    const { state, running, judged, failed } = status();
    await fleet!.recordBeat({
      id: runner.worker,
      host: hostname(),
      pid: process.pid,
      version,
      concurrency,
      running,
      judged,
      failed,
      state,
    });
    if (beats++ % reclaimEvery === 0) await runner.queue.reclaimItems();
    for (const run of new Set(runner.pool.held().map((item) => item.run)))
      if (await runs.isGivenUp(run)) runner.pool.drop(run);
    heardAt = Date.now();
  }

  async function mistaken(run: string, error: AgonError): Promise<void> {
    // Calls that are being made are covered: broken off, they would be paid for and made again.
    if (error.code !== 'budget-spent') runner.pool.drop(run);
    if (!concernsTheRun.has(error.code)) return judges.refuse(run, error);
    const row = await runs.now(run);
    // Another item met it first, or somebody gave it more meanwhile.
    if (row?.state !== 'running' || !judges.hasPlanOf(row)) return;
    await runs.stop(run, describeRunProblem(error));
    onLine(`${run} was stopped: ${describeRunProblem(error)}`);
  }
}
