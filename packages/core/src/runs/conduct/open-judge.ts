import { createAgon, openLedgerCache, type AgonParts } from '../../app/index.ts';
import { noUsage, type Journal, type Usage } from '@agonhq/engine/debate';
import {
  assertHeard,
  budgetSpentError,
  type Job,
  type JobAnswer,
  type Jobs,
  type JudgeEvent,
} from '@agonhq/judges/job';
import type { UnrecordedCase, Ledger, ItemResult, TakenItem } from '@agonhq/ledger';
import { createLlmPool, createSharedLimiter, type CallControl, type SharedAccount } from '@agonhq/models/reasoners';
import { llmSettingsOf, mergeSettings, withoutSettings, type Settings } from '../../settings/index.ts';
import { decideByCascade, openFirstTier } from '../cascade/index.ts';
import { assertModelsInstalled, assertSameSetup } from './make-plan.ts';
import { findFitted, type RunPlan } from './run-plan.ts';
import { randomUUID } from 'node:crypto';

export interface RunJudgeOptions {
  /** The run's among them. */
  jobs: Jobs;
  /** Null where nothing goes on record. */
  ledger: Ledger | null;
  /** Null where what is judged belongs to none: it has no account of its own. */
  run: string | null;
  /** Who judges, for shares of limits. */
  worker: string;
  /** Providers, keys, telemetry, folders and lists of known images of this machine. */
  own: Settings;
  environment?: Record<string, string | undefined>;
  /** Instead of the ledger's journal. */
  journal?: Journal;
  /** How documents are read; by default on this thread. */
  readFiles?: AgonParts['readFiles'];
  /** Told while the vectors of precedents are made. */
  onEmbedding?: AgonParts['onEmbedding'];
  /** Reasoners of the caller's own, by seat; stronger than the plan. */
  reasoners?: AgonParts['reasoners'];
}

/** Puts Agon together as a run's plan says, with the keys of this machine. */
export async function openJudge(plan: RunPlan, options: RunJudgeOptions): Promise<RunJudge> {
  assertModelsInstalled(plan);
  const { jobs, ledger, run, own, environment = process.env } = options;
  const { providers, telemetry, cache, local, knownImages, knownImageDistance } = own;
  // Whose lists an image is held against is no matter of the plan: they are those of the machine that judges.
  const settings = mergeSettings(
    { providers, telemetry, cache, local, knownImages, knownImageDistance, ...(ledger ? {} : { ledger: false }) },
    plan.settings,
  );
  const job = jobs.require(plan.job);
  const files = {
    find: async (hash: string) => ledger?.attachments.findAttachment(hash),
    findKnown: async (hash: string) => (await ledger?.knownImages.findByFile(hash)) ?? [],
    local: !ledger?.fleet,
  };
  const limiters: { close(): void }[] = [];
  const control = callControl(plan, options, limiters);
  const pool = createLlmPool(llmSettingsOf(settings), environment, ledger && openLedgerCache(ledger), control);
  const parts = {
    jobs,
    environment: withoutSettings(jobs, environment),
    only: [plan.job],
    policy: plan.policy,
    calibration: plan.calibration,
    fitted: findFitted(plan, job),
    ...(ledger ? { ledger } : {}),
    pool,
    occasion: { ...(run === null ? {} : { run }), isTriedAgain: true },
    ...(options.journal ? { journal: options.journal } : {}),
    ...(options.readFiles ? { readFiles: options.readFiles } : {}),
    ...(options.onEmbedding ? { onEmbedding: options.onEmbedding } : {}),
    ...(options.reasoners ? { reasoners: options.reasoners } : {}),
  };
  const agon = await createAgon(settings, parts);
  try {
    assertSameSetup(agon, plan);
    const firstTier = plan.cascade ? await openFirstTier(plan.cascade, settings, parts) : null;
    return {
      configuration: agon.provenanceOf(job).configuration,
      async judge(item, signal) {
        const { input, options: own } = await job.items.openItem(item.input, files, plan);
        if (firstTier && !job.guardLeaves?.(input)) {
          const { answer, decided } = await firstTier.decide(input, signal);
          if (decideByCascade(plan.cascade!, answer))
            return { result: resultOf(job, answer, 'guard'), ...(decided ? { decided } : {}) };
        }
        const { answer, paid } = await attended(agon.judge(job, input, { ...own, signal }));
        assertHeard(job, answer);
        // Of an item that another worker began, this run paid for what is recalled too.
        const free = { ...answer, usage: { ...answer.usage, ...noUsage } };
        return { result: resultOf(job, paid || item.attempts > 0 ? answer : free, 'debate') };
      },
      keep: async (decided) => resultOf(job, await ledger!.cases.keepDecided(decided), 'guard'),
      spent: () => agon.spent(),
      async close() {
        for (const limiter of limiters) limiter.close();
        await firstTier?.close();
        await agon.close();
        await pool.close();
      },
    };
  } catch (error) {
    for (const limiter of limiters) limiter.close();
    await agon.close();
    await pool.close();
    throw error;
  }
}

/** The answer of a trial, and whether anything was argued: a case that was judged before is only recalled. */
async function attended(
  trial: AsyncGenerator<JudgeEvent, JobAnswer, void>,
): Promise<{ answer: JobAnswer; paid: boolean }> {
  let paid = false;
  for (let next = await trial.next(); ; next = await trial.next()) {
    if (next.done) return { answer: next.value, paid };
    paid ||= next.value.type === 'turn-end' && !next.value.replayed;
  }
}

/** The run's budget is an account in the ledger; on a server, the limits of models are shared by all workers. */
function callControl(
  { settings: { budget } }: RunPlan,
  { ledger, run, worker }: RunJudgeOptions,
  limiters: { close(): void }[],
): CallControl {
  if (!ledger) return {};
  const { fleet, runs } = ledger;
  const allowance = { usd: budget?.runUsd, tokens: budget?.runTokens };
  const limited = allowance.usd !== undefined || allowance.tokens !== undefined;
  return {
    ...(fleet
      ? {
          limiter(model, limits) {
            // Each run has its own: two of one worker must not overwrite each other's claims.
            const limiter = createSharedLimiter(model, limits, (ask) =>
              fleet.claimShare({ worker: `${worker}/${run ?? 'stream'}`, model, limits, ...ask }),
            );
            limiters.push(limiter);
            return limiter;
          },
        }
      : {}),
    ...(limited && run !== null ? { account: openRunAccount(runs, run, allowance) } : {}),
  };
}

/** What a run notes of an answer; the whole of it is the case. */
function resultOf(job: Job, answer: JobAnswer, by: ItemResult['by']): ItemResult {
  const { inputTokens, outputTokens, cachedTokens, costUsd, latencyMs } = answer.usage;
  // What the guard decides calls nobody: the debates that it saves are measured against those that were held.
  const calls = by === 'guard' ? 0 : answer.usage.calls;
  const usage = { calls, inputTokens, outputTokens, cachedTokens, costUsd, latencyMs };
  const { label, risk, escalate } = job.summarize(answer);
  return { case: answer.id, label, risk, escalate, by, usage };
}

/**
 * The account of a run in the ledger. A call that is not covered waits for those that this process is making: most cost
 * less than was set aside for them. When none of them is left, the budget is spent; that must not cost an item an answer,
 * so it waits for more as it is.
 */
export function openRunAccount(
  runs: Pick<Ledger['runs'], 'reserveCall' | 'settleCall'>,
  run: string,
  allowance: { usd?: number; tokens?: number },
): SharedAccount {
  /** Calls that are being asked for or made. */
  let open = 0;
  let changed = Promise.withResolvers<void>();

  function close(): void {
    open -= 1;
    changed.resolve();
    changed = Promise.withResolvers();
  }

  return {
    async reserve(worst) {
      for (;;) {
        const change = changed.promise;
        const call = randomUUID();
        open += 1;
        const covered = await runs.reserveCall(run, call, worst, allowance).catch((error: unknown) => {
          close();
          throw error;
        });
        if (covered) return { settle: (actual) => runs.settleCall(run, call, actual).finally(close) };
        // Unless one was settled while this was asked: then there may be more than was seen.
        if (open === 1 && changed.promise === change) {
          close();
          throw budgetSpentError();
        }
        open -= 1;
        await change;
      }
    },
  };
}

export interface Judged {
  result: ItemResult;
  /** What has to go on record with the result. */
  decided?: UnrecordedCase;
}

/** Who judges the items of one run. */
export interface RunJudge {
  /** Hash of models, prompts, policy, precedents and plan, as the answers carry it. */
  configuration: string;
  /**
   * Judges one item; its case is on record when this resolves, but for one that was decided at once. An AgonError
   * says that there is no verdict: `cancelled` after an abort, a mistake of the user's (`isMistake`) for which the run
   * must end, or what is wrong with this item.
   */
  judge(item: Pick<TakenItem, 'input' | 'attempts'>, signal: AbortSignal): Promise<Judged>;
  /** Puts a case on record by itself; its result is that of the answer that stands. */
  keep(decided: UnrecordedCase): Promise<ItemResult>;
  /** What this process has spent so far. */
  spent(): Usage;
  close(): Promise<void>;
}
