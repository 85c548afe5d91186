import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, RunRow, RunCounts } from '@agonhq/ledger';
import { findRun, type RunProgress } from '@agonhq/core/runs';

export async function findRunById(id: string, { runs }: Pick<Ledger, 'runs'>): Promise<RunRow> {
  return (await runs.findRun(id)) ?? unknownRun(id);
}

/** The run that these words name: its id, its name, or how its id begins. */
export async function findRunByName(words: string, ledger: Ledger): Promise<RunRow> {
  return (await findRun(ledger, words)) ?? unknownRun(words);
}

/** Where the ledger lies is not for those who ask over HTTP. */
function unknownRun(words: string): never {
  throw new AgonError('unknown-run', `There is no run ${words}.`, 'GET /api/runs lists them.');
}

/** Where a run stands that others work on, or nobody. */
function readProgress(counts: RunCounts, total: number | null): RunProgress {
  const { waiting, running, done, failed, same, byLabel, byGuard, failuresByCode, endedLastMinute } = counts;
  const { calls, inputTokens, outputTokens, cachedTokens, costUsd } = counts.usage;
  const rate = waiting + running === 0 ? 0 : endedLastMinute / 60;
  return {
    read: waiting + running + done + failed + same,
    total,
    done,
    failed,
    same,
    waiting,
    running,
    byLabel,
    byGuard,
    failuresByCode,
    rate,
    etaSeconds: total === null || rate === 0 ? null : (waiting + running) / rate,
    usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd },
  };
}

/** Where a run stands at a moment. */
export interface RunMoment {
  run: RunRow;
  progress: RunProgress;
  /** Nobody here works on it, and it does not run elsewhere. */
  over: boolean;
}

/** How often listeners are told of a run that is conducted here, and how often the ledger is asked for others. */
const tellMs = 250;
const lookMs = 1_000;

/** Tells of runs: those that are conducted here as `findLive` knows them, all others by looks at the ledger. */
export function watchRuns(
  ledger: Ledger,
  findLive: (id: string) => { run: RunRow; progress: RunProgress | null } | undefined,
  { draining, closing }: { draining: AbortSignal; closing: AbortSignal },
) {
  const looks = new Map<string, Promise<RunMoment>>();

  async function readMoment(id: string): Promise<RunMoment> {
    const isLive = findLive(id) !== undefined;
    const run = await findRunById(id, ledger);
    const progress = readProgress(await ledger.runs.countItems(id), run.total);
    return { run, progress, over: run.state !== 'running' && !isLive };
  }

  /**
   * One look at the ledger serves all who listen; of a large run it takes a while, of which whoever works on it
   * should feel little.
   */
  function lookAt(id: string): Promise<RunMoment> {
    const known = looks.get(id);
    if (known) return known;
    const began = performance.now();
    const look = readMoment(id);
    looks.set(id, look);
    const forget = () => void (looks.get(id) === look && looks.delete(id));
    look.then(() => setTimeout(forget, Math.max(lookMs, 4 * (performance.now() - began)) - 50).unref(), forget);
    return look;
  }

  /** Ends without an end when the server stops: the run goes on with the next one. */
  async function* progress(id: string, listening: AbortSignal): AsyncGenerator<RunMoment, void, void> {
    const signal = AbortSignal.any([listening, closing]);
    let told: RunProgress | null = null;
    while (!signal.aborted) {
      const live = findLive(id);
      const moment: RunMoment = live?.progress
        ? { run: live.run, progress: live.progress, over: false }
        : await lookAt(id);
      if (signal.aborted) return;
      if (draining.aborted && moment.over && moment.run.state === 'stopped') return;
      if (moment.over || moment.progress !== told) yield moment;
      if (moment.over) return;
      told = moment.progress;
      await pause(findLive(id) ? tellMs : lookMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return { progress, forget: (id: string) => void looks.delete(id) };
}
