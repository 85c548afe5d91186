import { setTimeout as pause } from 'node:timers/promises';
import type { AgonParts } from '../../app/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import type { Ledger, NewRunItem, RunCounts, RunRow, RunState, TakenItem } from '@agonhq/ledger';
import type { Settings } from '../../settings/index.ts';
import { openRunner, type Runner } from './open-runner.ts';
import { type EndedItem, createRunMeter, type RunProgress } from './run-meter.ts';
import { describeRunProblem } from './pooled-journal.ts';
import { loadItems } from './load-items.ts';
import { noteExpected } from './note-expected.ts';
import { openJudge, type RunJudge } from './open-judge.ts';
import { repeatRegularly } from './repeat-regularly.ts';
import { readRunPlan } from './run-plan.ts';
import { createTakeSize } from './take-size.ts';
import { workOnRun } from './work-on-run.ts';

export interface ConductRunOptions {
  /** The run's among them. */
  jobs: Jobs;
  ledger: Ledger;
  run: RunRow;
  /** Providers, keys, telemetry and folders of this machine. */
  own: Settings;
  environment?: Record<string, string | undefined>;
  /** How documents are read; by default on this thread. */
  readFiles?: AgonParts['readFiles'];
  /** Told while the vectors of precedents are made. */
  onEmbedding?: AgonParts['onEmbedding'];
  /**
   * The input from its beginning; null when the run has all of it already. What it already has is not read in again.
   */
  items: AsyncIterable<NewRunItem> | null;
  /** Items judged at once by this process. */
  concurrency: number;
  /** What is in hand is broken off and given back. */
  signal?: AbortSignal;
  /**
   * Nothing more is taken; what is in hand is judged to its end, and the input is read to its end where others can go
   * on with it.
   */
  drain?: AbortSignal;
  /** Each item that ended in this process, as it ends. */
  onItem?: (ended: EndedItem) => Promise<void> | void;
  onProgress?: (progress: RunProgress) => void;
}

/** How often an empty queue is asked again, and how often the state of the run. */
const restMs = 100;
const lookMs = 1_000;

/**
 * Takes a run to its end: reads its items into the ledger while they are judged, so that a run can be resumed even
 * when its input is gone. Ends the run's row as `finished`, `stopped` (an abort, a spent budget), or `failed`.
 */
export async function conductRun(options: ConductRunOptions): Promise<RunCounts> {
  const { ledger, run } = options;
  const plan = readRunPlan(options.jobs, run);
  await using runner = await openRunner(ledger);
  const judge = await openJudge(plan, { ...options, ...runner, run: run.id }).catch(async (error: unknown) => {
    await ledger.runs.endRun(run.id, 'failed', describeRunProblem(error));
    throw error;
  });
  try {
    return await conductWith(judge, runner, options);
  } finally {
    await judge.close();
  }
}

async function conductWith(judge: RunJudge, { queue, pool }: Runner, options: ConductRunOptions): Promise<RunCounts> {
  const { ledger, run, items, concurrency, onItem, onProgress } = options;
  const stop = new AbortController();
  /**
   * Nothing more is taken; what is in hand comes to its end: broken off, its calls would be paid for and made again.
   */
  const enough = new AbortController();
  const drain = options.drain ? AbortSignal.any([options.drain, enough.signal]) : enough.signal;
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const meter = createRunMeter(await ledger.runs.countItems(run.id), run.total);
  const resting = AbortSignal.any([signal, drain]);
  let loaded = items === null;
  let taking: Promise<readonly TakenItem[]> = Promise.resolve([]);
  let wrong: { error: unknown } | null = null;
  /** Somebody else ended it, and may have resumed it by now: its state is theirs. */
  let isOthers = false;
  let countAgainAt = -Infinity;
  const takeSize = createTakeSize(concurrency);
  const report = () => onProgress?.(meter.report());

  const loading = load();
  const endLooking = repeatRegularly(lookMs, look, end);
  try {
    await workOnRun({
      queue,
      pool,
      items: waitingItems(),
      judgeOf: async () => judge,
      concurrency,
      signal,
      onStart() {
        meter.start();
        report();
      },
      onJudged: (judged) => noteExpected(options.jobs, ledger, run, judged),
      onLeave: () => meter.leave(),
      async onEnd(ended) {
        meter.end(ended);
        await onItem?.(ended);
        report();
      },
      async onMistake(_, error) {
        wrong ??= { error };
        enough.abort();
        if (error.code !== 'budget-spent') throw error;
      },
    });
    if (options.drain?.aborted && ledger.fleet) await loading;
  } catch (error) {
    wrong ??= { error };
  } finally {
    stop.abort();
    await Promise.all([endLooking(), loading]);
  }
  return await concluded();

  async function load(): Promise<void> {
    if (items === null) return;
    try {
      await loadItems(ledger, run.id, items, {
        signal,
        gently: true,
        onRead(read) {
          meter.read(read);
          report();
        },
      });
      if (signal.aborted) return;
      meter.loaded();
      loaded = true;
    } catch (error) {
      end(error);
    }
  }

  /** The items of this run, as long as there are any, here or in other hands: those may come back. */
  async function* waitingItems(): AsyncGenerator<TakenItem, void, void> {
    while (!signal.aborted && !drain.aborted) {
      const wasLoaded = loaded;
      taking = takeInHand(run.id);
      const taken = await taking;
      for (const item of taken) {
        if (drain.aborted) return;
        yield item;
      }
      if (taken.length > 0) continue;
      if (wasLoaded && pool.held().length === 0 && (await isOver())) return;
      await pause(restMs, undefined, { signal: resting }).catch(() => undefined);
    }
  }

  async function isOver(): Promise<boolean> {
    return loaded && (await ledger.runs.isRunOver(run.id));
  }

  async function takeInHand(id: string): Promise<readonly TakenItem[]> {
    const taken = await queue.takeItems(id, takeSize.next());
    takeSize.note(taken.length);
    for (const item of taken) pool.hold(item);
    return taken;
  }

  /** Finds items of dead workers, counts what others did, and notices that the run was cancelled elsewhere. */
  async function look(): Promise<void> {
    await queue.reclaimItems();
    const { state, problem } = (await ledger.runs.findRun(run.id))!;
    // A worker may be the first to see that nothing is left: this process sees it a moment later.
    if (state !== 'running' && state !== 'finished' && !signal.aborted) {
      const error = endedElsewhere(run, state, problem);
      isOthers ||= !wrong;
      if (state !== 'stopped') end(error);
      wrong ??= { error };
      enough.abort();
    }
    if (ledger.fleet && performance.now() >= countAgainAt) {
      const began = performance.now();
      meter.adjust(await ledger.runs.countItems(run.id));
      // Of a large run it takes a while: a fifth of the time at most is spent on counting.
      countAgainAt = performance.now() + 4 * (performance.now() - began);
    }
    report();
  }

  function end(error: unknown): void {
    wrong ??= { error };
    stop.abort(error);
  }

  async function concluded(): Promise<RunCounts> {
    // Items that were on their way here when it ended, too.
    await taking.catch(() => undefined);
    await queue.giveBackItems(pool.held());
    const leaves = options.signal?.aborted || (options.drain?.aborted && !wrong && !(await isOver()));
    const problem = leaves ? null : wrong?.error;
    if (leaves) wrong = { error: stopped(run) };
    const now = (await ledger.runs.findRun(run.id))!;
    if (now.state === 'running' && !isOthers) {
      if (!wrong) await ledger.runs.endRun(run.id, 'finished');
      else
        await ledger.runs.endRun(
          run.id,
          isStop(wrong.error) ? 'stopped' : 'failed',
          problem ? describeRunProblem(problem) : null,
        );
    }
    if (wrong) throw wrong.error;
    return await ledger.runs.countItems(run.id);
  }
}

/** What a person can put right, or did on purpose: the run goes on afterwards. */
function isStop(error: unknown): boolean {
  return AgonError.is(error) && ['cancelled', 'budget-spent', 'models-away'].includes(error.code);
}

function endedElsewhere(run: RunRow, state: RunState, problem: string | null): AgonError {
  return new AgonError('cancelled', `The run was ${state} from elsewhere${problem ? `: ${problem}` : '.'}`, {
    library: 'Resume the run.',
    cli: `Resume it: agon runs resume ${run.id}.`,
    api: `Resume it: POST /api/runs/${run.id}/resume.`,
  });
}

function stopped(run: RunRow): AgonError {
  return new AgonError('cancelled', 'The run was stopped.', {
    library: 'Resume the run.',
    cli: `Resume it: agon runs resume ${run.name ?? run.id}.`,
    api: `Resume it: POST /api/runs/${run.id}/resume.`,
  });
}
