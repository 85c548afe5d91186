import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { withRetries, type Ledger, type RunRow } from '@agonhq/ledger';
import {
  assertInputBegins,
  createRunId,
  estimateRun,
  openRunItems,
  readRunPlan,
  planRun,
  findProvenance,
  startRun,
  type RunEstimate,
  type RunPlan,
} from '@agonhq/core/runs';
import type { Sensitivity } from '@agonhq/engine/policy/sensitivity';
import { mergeSettings, type Settings } from '@agonhq/core/settings';
import type { Jobs } from '@agonhq/judges/job';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { Policy } from '@agonhq/engine/policy';
import { methodSettings, type AgonPool } from '../agon-pool.ts';
import { errorCode, type LogLine } from '../log.ts';
import type { EventFeed } from '../event-feed.ts';
import { sweepUploads } from '../http/upload-storage.ts';
import type { UploadedFile } from '../http/read-upload.ts';
import { createRunConductor } from './conduct-runs.ts';
import { findRunById, type RunMoment } from './read-run.ts';
import { readOrder, openRunFiles } from './run-files.ts';

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
  sensitivity?: Sensitivity;
  method?: string;
  seats?: Record<string, string>;
  /** By default the one in force. */
  policy?: Policy;
  files: readonly UploadedFile[];
}

/** The runs that this server works on. */
export interface ServerRuns {
  /** Starts a run; where the same request has started one already, that is returned. */
  create(order: RunOrder, once: KeyedRequest | undefined): Promise<RunRow>;
  /** What such a run would take; nothing of it is kept. */
  estimate(order: RunOrder, signal: AbortSignal): Promise<RunEstimate>;
  resume(id: string): Promise<RunRow>;
  cancel(id: string): Promise<{ run: RunRow; waiting: number }>;
  retryFailed(id: string): Promise<{ run: RunRow; waiting: number }>;
  isLive(id: string): boolean;
  isAnyLive(): boolean;
  /** Where the files of a run lie, which is nobody's business. */
  folderOf(id: string): string;
  /** The progress of a run, live or by looking at the ledger now and then; the last moment is the one it ended with. */
  progress(id: string, signal: AbortSignal): AsyncIterable<RunMoment>;
  /** Drops files that no run needs any more. */
  sweep(): Promise<void>;
  /** Takes up what an earlier server left. */
  resumeUnfinished(): Promise<void>;
  /**
   * Takes up what another server on the same ledger left when it was stopped, where nothing of its input is missing.
   */
  takeOver(): Promise<void>;
  /** Nothing more is begun; ends when what is in hand has its outcome, and others can go on with the rest. */
  drain(signal: AbortSignal): Promise<void>;
  /** Stops what is under way, for the next server to go on with. */
  close(): Promise<void>;
}

export interface ServerRunsOptions {
  jobs: Jobs;
  ledger: Ledger;
  settings: Settings;
  environment: Record<string, string | undefined>;
  agons: AgonPool;
  feed: EventFeed;
  /** Where inputs are kept until their run has ended. */
  folder: string;
  log: (line: LogLine) => void;
}

/** Somebody waits for the answer: fewer than the command tries. */
const estimatedItems = 20;

/** Methods that every job may be asked for beside its own. */
function assertKnown(jobs: Jobs, { job, method }: RunOrder): void {
  const known = [...jobs.require(job).methods, 'guard', 'embedded'];
  if (method === undefined || known.includes(method)) return;
  throw new AgonError(
    'bad-request',
    `method: ${JSON.stringify(method)} is no method of ${job}.`,
    `It has ${known.join(', ')}.`,
  );
}

export async function openServerRuns({
  jobs,
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
  const files = await openRunFiles(jobs, folder);
  const conductor = createRunConductor({ jobs, ledger, settings, environment, agons, feed, log, files });
  await sweepUploads(folder);
  await sweep();

  function sweep(): Promise<void> {
    return files
      .sweep(ledger)
      .catch((error: unknown) => log({ level: 'warn', event: 'sweep', code: errorCode(error) }));
  }

  /** The settings of a run: the server's, with what its order changes. */
  function settleOrder({ job, budgetUsd, sensitivity, method, seats }: RunOrder): Settings {
    return mergeSettings(settings, methodSettings(job, method), {
      sensitivity,
      ...(seats ? { seats } : {}),
      ...(budgetUsd === undefined ? {} : { budget: { runUsd: budgetUsd } }),
    });
  }

  async function planOrder(order: RunOrder): Promise<{ plan: RunPlan; configuration: string }> {
    const { job, sensitivity, evaluatedModel, concurrency, method, seats, policy } = order;
    assertKnown(jobs, order);
    const own = seats || policy ? await agons.openAgon(job, settleOrder(order), policy) : null;
    try {
      const agon = own ?? (await agons.agonFor(job, method, sensitivity));
      const plan = await planRun({
        job,
        settings: settleOrder(order),
        agon,
        evaluatedModel: evaluatedModel ?? null,
        environment,
      });
      return {
        plan: { ...plan, ...(concurrency === undefined ? {} : { concurrency }) },
        configuration: findProvenance(agon, job).configuration,
      };
    } finally {
      await own?.close();
    }
  }

  async function resume(id: string): Promise<RunRow> {
    const run = await findRunById(id, ledger);
    readRunPlan(jobs, run);
    await files.assertInput(run);
    const unlock = await files.lock(id);
    try {
      await ledger.runs.retryFailedItems(id, 'nobody-heard');
      await assertLeft(run);
      if (run.state !== 'running') await ledger.runs.reopenRun(id);
      const reopened = await findRunById(id, ledger);
      conductor.start(reopened, unlock);
      return reopened;
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  function tellUnresumed({ id, state }: RunRow, error: unknown): void {
    log({ level: 'warn', event: 'run', run: id, state, code: errorCode(error) });
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
    isLive: conductor.isActive,
    isAnyLive: conductor.isAnyActive,
    folderOf: files.folderOf,
    progress: conductor.progress,
    drain: conductor.drain,
    close: conductor.close,
    resume,

    async create(order, once) {
      const made = await ledger.idempotency.findMade(once);
      if (made !== null) return findRunById(made, ledger);
      const id = createRunId();
      const reading = readOrder(jobs, order, files.folderOf(id));
      try {
        const input = await files.keep(id, order.files, order.format);
        await assertInputBegins(jobs.require(order.job), input, reading);
        const { plan, configuration } = await planOrder(order);
        const unlock = await files.lock(id);
        try {
          const run = await startRun(
            ledger,
            { id, name: order.name ?? null, input, plan: { ...plan, reading }, configuration },
            once,
          );
          if (run.id === id) conductor.start(run, unlock);
          // Another server was quicker, and works on it.
          else await unlock().then(() => files.drop(id));
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

    async estimate(order, signal) {
      const id = `estimate-${createRunId()}`;
      const reading = readOrder(jobs, order, files.folderOf(id));
      assertKnown(jobs, order);
      try {
        const input = await files.keep(id, order.files, order.format);
        await assertInputBegins(jobs.require(order.job), input, reading);
        const { policy, concurrency, evaluatedModel = null } = order;
        return await estimateRun({
          jobs,
          job: order.job,
          settings: settleOrder(order),
          policy: policy ?? agons.activePolicy(),
          evaluatedModel,
          ...(concurrency === undefined ? {} : { concurrency }),
          items: openRunItems(null, jobs.require(order.job), input, reading)({ signal }),
          sample: estimatedItems,
          ledger,
          environment,
          signal,
        });
      } finally {
        await files.drop(id);
      }
    },

    async cancel(id) {
      const run = await findRunById(id, ledger);
      if (run.state === 'finished' && !conductor.isActive(id))
        throw new AgonError(
          'finished-run',
          `The run ${id} is finished: nothing is left to cancel.`,
          `Look at it: GET /api/runs/${id}.`,
        );
      await ledger.runs.endRun(id, 'cancelled');
      const waiting = await conductor.cancel(id);
      return { run: await findRunById(id, ledger), waiting };
    },

    async retryFailed(id) {
      const run = await findRunById(id, ledger);
      readRunPlan(jobs, run);
      await files.assertInput(run);
      const waiting = await ledger.runs.retryFailedItems(id);
      return {
        run: waiting === 0 || conductor.isActive(id) ? await findRunById(id, ledger) : await resume(id),
        waiting,
      };
    },

    sweep,

    async takeOver() {
      const left = await ledger.runs.listRuns({ states: ['stopped'], limit: 100 });
      for (const run of left) {
        const wasSent = run.input !== null && path.basename(path.dirname(run.input)) === run.id;
        if (run.problem !== null || run.total === null || !wasSent || conductor.isActive(run.id)) continue;
        await resume(run.id).catch((error: unknown) => tellUnresumed(run, error));
      }
      // What could not be taken up as this server began, since the ledger or the disk was in trouble.
      for (const run of await ledger.runs.listRuns({ states: ['running'], limit: 100 }))
        if (!conductor.wasStarted(run.id) && (await files.hasInput(run)))
          await resume(run.id).catch((error: unknown) => {
            // Another server on this machine has it.
            if (errorCode(error) !== 'running-run') tellUnresumed(run, error);
          });
    },

    async resumeUnfinished() {
      const left = await ledger.runs.listRuns({ states: ['running', 'stopped'] });
      for (const run of left.toReversed()) {
        if (
          (run.state === 'stopped' && run.problem !== null) ||
          conductor.isActive(run.id) ||
          !(await files.hasInput(run))
        )
          continue;
        try {
          await resume(run.id);
        } catch (error) {
          tellUnresumed(run, error);
        }
      }
    },
  };
}
