import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import type { BenchPlan } from '@agonhq/bench';
import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import type { Jobs } from '@agonhq/judges/job';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { BenchRow, Ledger } from '@agonhq/ledger';
import type { Policy } from '@agonhq/engine/policy';
import { mergeSettings, type Settings } from '@agonhq/core/settings';
import type { AgonPool } from '../agon-pool.ts';
import { refuseKnownImages } from '../annotation/refuse-known-images.ts';
import type { UploadedFile } from '../http/read-upload.ts';
import { errorCode, type LogLine } from '../log.ts';
import { openBenchCache, type BenchCache } from './bench-cache.ts';
import { alreadyRunning, openBenchFiles, type BenchOrder } from './bench-files.ts';
import { keepProblem, readProblem } from './bench-notes.ts';
import { createBenchConductor, openBenchPool, type BenchProgress } from './conduct-benches.ts';

type Wanted = Omit<z.infer<typeof schemas.newBench>, 'policy'> & {
  files: readonly UploadedFile[];
  /** By default the one in force. */
  policy?: Policy;
};
type Estimate = z.infer<typeof schemas.benchEstimate>;

/** The benches on record, and those that this server measures. */
export interface ServerBenches extends BenchCache {
  /** Starts a bench; where the same request has started one already, that is returned. */
  create(wanted: Wanted, once: KeyedRequest | undefined): Promise<BenchRow>;
  /** What such a bench would take; nothing of it is kept. */
  estimate(wanted: Wanted, signal: AbortSignal): Promise<Estimate>;
  resume(id: string): Promise<BenchRow>;
  cancel(id: string): Promise<BenchRow>;
  isLive(id: string): boolean;
  isAnyLive(): boolean;
  /** How far it is while this server measures it, why it ended, and whether it can go on here. */
  describe(row: BenchRow): Promise<{ progress: BenchProgress | null; problem: string | null; resumable: boolean }>;
  /** Takes the server's folders out of what is shown. */
  hideFolder(text: string): string;
  sweep(): Promise<void>;
  resumeUnfinished(): Promise<void>;
  close(): Promise<void>;
}

interface ServerBenchesOptions {
  jobs: Jobs;
  ledger: Ledger;
  settings: Settings;
  environment: Record<string, string | undefined>;
  agons: AgonPool;
  /** Where data is kept until its bench has ended. */
  folder: string;
  log: (line: LogLine) => void;
}

/** Items of a bench at once: what is asked over HTTP wants to be answered too. */
const itemsAtOnce = 4;
/** Somebody waits for the answer, for every system. */
const estimatedItems = 10;
const imageEnding = /\.(?:png|jpe?g|gif|webp|avif|bmp|tiff?)$/i;

export async function openServerBenches(options: ServerBenchesOptions): Promise<ServerBenches> {
  const { jobs, ledger, settings, environment, agons, folder, log } = options;
  const files = await openBenchFiles(folder);
  const cache = openBenchCache(ledger);
  const { hideFolder } = files;
  const conductor = createBenchConductor({ ledger, environment, agons, log, hideFolder, onDone: files.drop });
  await sweep();

  function sweep(): Promise<void> {
    return files.sweep().catch((error: unknown) => log({ level: 'warn', event: 'sweep', code: errorCode(error) }));
  }

  /** What a bench measures, with the settings of this server and what its order changes. */
  function planOrder(id: string, order: BenchOrder): BenchPlan {
    const { job, title, data, seats, sensitivity, policy } = order;
    // Who may ask, and where: no judgement depends on it.
    const { server: _, policy: __, ...own } = mergeSettings(settings, { sensitivity, ...(seats ? { seats } : {}) });
    return {
      name: title,
      title,
      parameters: { seed: order.seed, repeats: order.repeats, invalid: 'error' },
      concurrency: itemsAtOnce,
      sets: [
        {
          job,
          title,
          file: files.fileOf(id, data),
          ...(order.format === undefined ? {} : { format: order.format }),
          ...(order.limit === undefined ? {} : { limit: order.limit }),
          ...(order.map ? { fields: order.map } : {}),
          ...(order.labels ? { labels: order.labels } : {}),
          systems: order.systems,
          rounds: [],
          agents: [],
          trained: [],
          published: [],
          settings: { ...own, cache: false },
          ...(policy ? { policy } : {}),
        },
      ],
    };
  }

  async function readOrder(wanted: Wanted, data: string): Promise<BenchOrder> {
    const { isOffered, requireJobBench } = await import('@agonhq/bench');
    const { files: _, policy, title, systems, ...order } = wanted;
    const { offeredSystems, defaultSystem } = requireJobBench(wanted.job, jobs);
    const named = systems ?? [defaultSystem];
    const unknown = named.find((name) => !isOffered(name, offeredSystems));
    if (unknown !== undefined)
      throw new AgonError(
        'bad-request',
        `systems: ${JSON.stringify(unknown)} is no system of ${wanted.job} that can be measured here.`,
        `There are ${offeredSystems.map(({ name }) => name).join(', ')}.`,
      );
    return {
      ...order,
      data,
      title: title ?? data.replace(/\.\w+$/, ''),
      systems: named,
      ...(jobs.require(wanted.job).usesPolicy ? { policy: policy ?? agons.activePolicy() } : {}),
    };
  }

  /** Keeps the files of a request below a name of their own while something is done with them. */
  async function withFiles<Result>(wanted: Wanted, work: (id: string, order: BenchOrder) => Promise<Result>) {
    await refuseKnownImages(
      wanted.files.slice(1).filter(({ name }) => imageEnding.test(name)),
      settings,
    );
    const id = `${randomUUID()}~`;
    try {
      return await work(id, await readOrder(wanted, await files.keep(id, wanted.files)));
    } catch (error) {
      throw withoutFolder(error);
    } finally {
      await files.drop(id);
    }
  }

  /** Where files lie is not for those who ask over HTTP. */
  function withoutFolder(error: unknown): unknown {
    if (!AgonError.is(error)) return error;
    return new AgonError(error.code, hideFolder(error.message), hideFolder(hintFor(error, 'api')), { cause: error });
  }

  /** Reads the data and opens the systems once: what is wrong is said before anything is on record. */
  async function checkPlan(plan: BenchPlan, budgetUsd: number | undefined) {
    const { openPlannedSystems, readPlannedSets } = await import('@agonhq/bench');
    const [set] = await readPlannedSets(plan);
    const pool = openBenchPool(set!.planned.settings, environment, budgetUsd);
    const { systems, close } = await openPlannedSystems(plan, set!, {
      parts: { pool, environment, readFiles: agons.readFiles },
      precedents: ledger,
    });
    await close();
    const { sha256: hash, lines } = set!.data;
    return { data: [{ sha256: hash, items: lines.length }], systems: systems.map(({ name }) => name) };
  }

  async function resume(id: string): Promise<BenchRow> {
    const { startBenchRecord } = await import('@agonhq/bench');
    const row = await cache.findBench(id);
    if (row.state === 'done')
      throw new AgonError('finished-bench', `The bench ${id} is finished.`, `Its figures: GET /api/benches/${id}.`);
    if (conductor.isActive(id)) throw alreadyRunning(id);
    const order = await files.readOrder(id);
    const unlock = await files.lock(id);
    try {
      const plan = planOrder(id, order);
      const { data, systems } = await checkPlan(plan, order.budgetUsd);
      const started = await startBenchRecord(ledger, plan, data, id);
      await keepProblem(ledger, id, null);
      conductor.start({ id, plan, systems, items: data[0]!.items, budgetUsd: order.budgetUsd, unlock });
      return started;
    } catch (error) {
      await unlock();
      throw withoutFolder(error);
    }
  }

  return {
    ...cache,
    hideFolder,
    sweep,
    resume,
    isLive: conductor.isActive,
    isAnyLive: conductor.isAnyActive,
    close: conductor.close,

    async create(wanted, once) {
      const made = await ledger.idempotency.findMade(once);
      if (made !== null) return cache.findBench(made);
      return withFiles(wanted, async (temporary, order) => {
        const { findBenchId, startBenchRecord } = await import('@agonhq/bench');
        const { data, systems } = await checkPlan(planOrder(temporary, order), order.budgetUsd);
        const id = await findBenchId(ledger, planOrder(temporary, order), data);
        if (conductor.isActive(id)) throw alreadyRunning(id);
        const unlock = await files.lock(id);
        try {
          await files.settle(temporary, id, order);
          const plan = planOrder(id, order);
          const row = await startBenchRecord(ledger, plan, data, id, once);
          await keepProblem(ledger, id, null);
          conductor.start({ id, plan, systems, items: data[0]!.items, budgetUsd: order.budgetUsd, unlock });
          return row;
        } catch (error) {
          await unlock();
          throw error;
        }
      });
    },

    estimate: (wanted, signal) =>
      withFiles(wanted, async (temporary, order) => {
        const { estimateBench } = await import('@agonhq/bench');
        const plan = planOrder(temporary, order);
        const estimate = await estimateBench(plan, {
          parts: {
            pool: openBenchPool(plan.sets[0]!.settings, environment, order.budgetUsd),
            environment,
            readFiles: agons.readFiles,
          },
          ledger,
          sample: estimatedItems,
          keepText: (text) => files.keepText(temporary, `${sha256(text).slice(-16)}.txt`, text),
          signal,
        });
        const { systems, notes, ...rest } = estimate;
        return {
          ...rest,
          systems: systems.map(({ models, ...system }) => ({ ...system, models: [...models] })),
          notes: [...notes],
          budget: order.budgetUsd === undefined ? null : { usd: order.budgetUsd, covers: judgeBudget(order.budgetUsd) },
        };

        function judgeBudget(usd: number): 'surely' | 'likely' | 'no' | 'unknown' {
          if (estimate.usd === null || estimate.atMostUsd === null) return 'unknown';
          if (estimate.atMostUsd <= usd) return 'surely';
          return estimate.usd.high <= usd ? 'likely' : 'no';
        }
      }),

    async cancel(id) {
      const row = await cache.findBench(id);
      const isLive = conductor.isActive(id);
      if (row.state === 'done' && !isLive)
        throw new AgonError('finished-bench', `The bench ${id} is finished.`, `Its figures: GET /api/benches/${id}.`);
      if (row.state === 'running' && !isLive && !(await files.hasOrder(id)))
        throw new AgonError('running-bench', `The bench ${id} is measured elsewhere.`, 'Stop it where it was started.');
      await conductor.stop(id);
      const { state } = await cache.findBench(id);
      if (state === 'running') await ledger.benches.endBench(id, 'stopped');
      // Otherwise the next server would go on with it.
      if (state !== 'done') await keepProblem(ledger, id, 'It was cancelled.');
      return cache.findBench(id);
    },

    async describe({ id, state }) {
      const progress = conductor.progress(id);
      return {
        progress,
        problem: progress || state === 'done' ? null : await readProblem(ledger, id),
        resumable: progress === null && state !== 'done' && (await files.hasOrder(id)),
      };
    },

    async resumeUnfinished() {
      for (const id of await files.listOrders()) {
        const row = await cache.findBench(id).catch(() => null);
        if (!row || row.state === 'done' || (await readProblem(ledger, id)) !== null) continue;
        await resume(id).catch((error: unknown) =>
          log({ level: 'warn', event: 'bench', bench: id, state: row.state, code: errorCode(error) }),
        );
      }
    },
  };
}
