import type { BenchPlan } from '@agonhq/bench';
import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';
import { createLlmPool } from '@agonhq/models/reasoners';
import { llmSettingsOf, type Settings } from '@agonhq/core/settings';
import type { AgonPool } from '../agon-pool.ts';
import { createConcurrencyLimit } from '@agonhq/engine/concurrency-limit';
import { errorCode, errorTrace, type LogLine } from '../log.ts';
import { keepProblem, sumJudgementCosts } from './bench-notes.ts';

/** How far a system is, over all repeats. */
interface SystemProgress {
  name: string;
  judged: number;
  failed: number;
  total: number;
}

export interface BenchProgress {
  /** Another bench is measured first. */
  waiting: boolean;
  /** What this bench has spent, in this attempt and those before; null where a price is not known. */
  costUsd: number | null;
  systems: readonly SystemProgress[];
}

/** A bench that is to be measured. */
interface BenchWork {
  id: string;
  plan: BenchPlan;
  /** Its systems, in their order, and the items of its data. */
  systems: readonly string[];
  items: number;
  budgetUsd?: number | undefined;
  unlock(): Promise<void>;
}

interface ActiveBench extends BenchWork {
  stop: AbortController;
  progress: { waiting: boolean; costUsd: number | null; systems: SystemProgress[] };
  ended: Promise<void>;
}

interface ConductorOptions {
  ledger: Ledger;
  environment: Record<string, string | undefined>;
  agons: Pick<AgonPool, 'readFiles'>;
  log: (line: LogLine) => void;
  hideFolder(text: string): string;
  /** Told that a bench needs its files no more. */
  onDone(id: string): Promise<void>;
}

/** What may be otherwise when the next server takes the bench up. */
const passingCodes = new Set(['cancelled', 'ledger-unreachable', 'ledger-conflict', 'ledger-failed', 'locked-ledger']);

/** The models of a bench: one budget for all of its systems, and no answer that was given before. */
export function openBenchPool(
  settings: Settings,
  environment: Record<string, string | undefined>,
  leftUsd: number | undefined,
) {
  const { budget, ...own } = llmSettingsOf(settings);
  return createLlmPool(
    { ...own, cache: false, budget: { ...budget, ...(leftUsd === undefined ? {} : { runUsd: leftUsd }) } },
    environment,
  );
}

/** Measures benches, one at a time: each takes as much of the machine as it is given. */
export function createBenchConductor({ ledger, environment, agons, log, hideFolder, onDone }: ConductorOptions) {
  const active = new Map<string, ActiveBench>();
  const places = createConcurrencyLimit({ concurrency: 1 });
  const closing = new AbortController();

  async function conductUntilEnd(one: ActiveBench): Promise<void> {
    try {
      const leave = await places.enter(one.stop.signal);
      try {
        await conduct(one);
      } finally {
        leave();
      }
      await onDone(one.id);
      log({ level: 'info', event: 'bench', bench: one.id, state: 'done' });
    } catch (error) {
      await recordFailure(one, error).catch((failure: unknown) =>
        log({ level: 'error', event: 'bench', bench: one.id, code: errorCode(failure), error: errorTrace(failure) }),
      );
    } finally {
      active.delete(one.id);
      await one.unlock();
    }
  }

  async function conduct(one: ActiveBench): Promise<void> {
    const { measureBench } = await import('@agonhq/bench');
    const { id, plan, budgetUsd, progress } = one;
    const { signal } = one.stop;
    const before = await sumJudgementCosts(ledger, id);
    const left = budgetUsd === undefined ? undefined : budgetUsd - (before ?? 0);
    if (left !== undefined && left <= 0) throw budgetSpent();
    const pool = openBenchPool(plan.sets[0]!.settings, environment, left);
    progress.waiting = false;
    await measureBench(plan, {
      ledger,
      id,
      parts: { pool, environment, readFiles: agons.readFiles },
      precedents: ledger,
      watch: (about, work) => {
        signal.throwIfAborted();
        const own = progress.systems.find(({ name }) => name === about.system);
        const { judged = 0, failed = 0 } = own ?? {};
        return work({
          signal,
          onProgress(now) {
            const spent = pool.spent().costUsd;
            progress.costUsd = spent === null || before === null ? null : before + spent;
            if (!own) return;
            own.judged = judged + now.judged + now.skipped;
            own.failed = failed + now.failed;
            if (now.total !== null) own.total = now.total * plan.parameters.repeats;
          },
        });
      },
    });
  }

  /** What stopped with the server is gone on with by the next one; anything else says why. */
  async function recordFailure({ id, stop }: ActiveBench, error: unknown): Promise<void> {
    const state = (await ledger.benches.findBench(id))?.state;
    const code = errorCode(error);
    if (AgonError.is(error) && passingCodes.has(error.code)) {
      if (state === 'running' && stop.signal.aborted) await ledger.benches.endBench(id, 'stopped');
      log({ level: 'info', event: 'bench', bench: id, state: 'stopped', code });
      return;
    }
    if (state === 'running') await ledger.benches.endBench(id, 'failed');
    const known = AgonError.is(error) && error.code === 'budget-spent' ? budgetSpent() : error;
    const said = AgonError.is(known)
      ? `${known.message} ${hintFor(known, 'api')} (${known.code})`
      : 'Something went wrong on the server; its log says what. (internal)';
    await keepProblem(ledger, id, hideFolder(said));
    log({
      ...(AgonError.is(error) ? { level: 'warn' } : { level: 'error', error: errorTrace(error) }),
      event: 'bench',
      bench: id,
      state: 'failed',
      code,
    });
  }

  return {
    isActive: (id: string) => active.has(id),
    isAnyActive: () => active.size > 0,
    progress: (id: string): BenchProgress | null => active.get(id)?.progress ?? null,

    start(work: BenchWork): void {
      const { repeats } = work.plan.parameters;
      const systems = work.systems.map((name) => ({ name, judged: 0, failed: 0, total: work.items * repeats }));
      const one: ActiveBench = {
        ...work,
        stop: new AbortController(),
        progress: { waiting: true, costUsd: 0, systems },
        ended: Promise.resolve(),
      };
      active.set(work.id, one);
      if (closing.signal.aborted) one.stop.abort(closing.signal.reason);
      one.ended = conductUntilEnd(one);
    },

    /** Ends the work on a bench, where this server has it. */
    async stop(id: string): Promise<void> {
      const one = active.get(id);
      one?.stop.abort(
        new AgonError('cancelled', 'The bench was cancelled.', `Go on with it: POST /api/benches/${id}/resume.`),
      );
      await one?.ended;
    },

    async close(): Promise<void> {
      const reason = new AgonError('cancelled', 'The server was stopped.', 'The next one goes on with the bench.');
      closing.abort(reason);
      const all = [...active.values()];
      for (const { stop } of all) stop.abort(reason);
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

function budgetSpent(): AgonError {
  return new AgonError(
    'budget-spent',
    'The budget of the bench is spent.',
    'Start it again with the same data, systems and name, and a larger budget: it goes on where it stopped.',
  );
}
