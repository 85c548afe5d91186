import { createAgon, ledgerCache, type AgonParts } from '../../app/index.ts';
import { noUsage, type Journal } from '../../debate/index.ts';
import { requireJob, type JobAnswer, type JudgeEvent } from '../../jobs/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import { createLlmPool, createSharedLimiter, type CallControl } from '../../reasoners/index.ts';
import { llmSettingsOf, mergeSettings, withoutSettings, type Settings } from '../../settings/index.ts';
import { decides, openFirstTier } from '../cascade/index.ts';
import { affordable, heard } from './affordable.ts';
import { resultOf } from './item-result.ts';
import { assertSameSetup } from './make-plan.ts';
import { runAccount } from './run-account.ts';
import type { RunJudge } from './run-judge.ts';
import { fittedIn, type RunPlan } from './run-plan.ts';

export interface JudgeOptions {
  ledger: Ledger;
  run: string;
  /** Who judges, for shares of limits. */
  worker: string;
  /** Providers, keys, telemetry and folders of this machine. */
  own: Settings;
  environment?: Record<string, string | undefined>;
  /** Instead of the ledger's journal. */
  journal?: Journal;
  /** How documents are read; by default on this thread. */
  readFiles?: AgonParts['readFiles'];
}

/** Puts Agon together as a run's plan says, with the keys of this machine. */
export async function openJudge(plan: RunPlan, options: JudgeOptions): Promise<RunJudge> {
  const { ledger, run, own, environment = process.env } = options;
  const { providers, telemetry, cache } = own;
  const settings = mergeSettings({ providers, telemetry, cache }, plan.settings);
  const job = requireJob(plan.job);
  const files = { find: (hash: string) => ledger.attachments.findAttachment(hash), local: ledger.fleet === null };
  const limiters: { close(): void }[] = [];
  const control = callControl(plan, options, limiters);
  const pool = createLlmPool(llmSettingsOf(settings), environment, ledgerCache(ledger), control);
  const parts = {
    environment: withoutSettings(environment),
    jobs: [plan.job],
    policy: plan.policy,
    calibration: plan.calibration,
    fitted: fittedIn(plan),
    ledger,
    pool,
    occasion: { run },
    ...(options.journal ? { journal: options.journal } : {}),
    ...(options.readFiles ? { readFiles: options.readFiles } : {}),
  };
  const agon = await createAgon(settings, parts);
  try {
    assertSameSetup(agon, plan);
    const firstTier = plan.cascade ? await openFirstTier(plan.cascade, settings, parts) : null;
    return {
      configuration: agon.provenanceOf(job).configuration,
      async judge(item, signal) {
        const { input, options: own } = await job.items.openItem(item.input, files, plan);
        if (firstTier) {
          const answer = await firstTier.judge(input, signal);
          if (decides(plan.cascade!, answer)) return resultOf(answer, 'guard');
        }
        const { answer, paid } = await attended(agon.judge(job, input, { ...own, signal }));
        for (const debate of job.debates(answer)) heard(affordable(debate));
        // Of an item that another worker began, this run paid for what is recalled too.
        const free = { ...answer, usage: { ...answer.usage, ...noUsage } };
        return resultOf(paid || item.attempts > 0 ? answer : free, 'debate');
      },
      spent: () => agon.spent(),
      async close() {
        for (const limiter of limiters) limiter.close();
        await firstTier?.close();
        await agon.close();
      },
    };
  } catch (error) {
    for (const limiter of limiters) limiter.close();
    await agon.close();
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
  { ledger, run, worker }: JudgeOptions,
  limiters: { close(): void }[],
): CallControl {
  const { fleet, runs } = ledger;
  const allowance = { usd: budget?.runUsd, tokens: budget?.runTokens };
  const limited = allowance.usd !== undefined || allowance.tokens !== undefined;
  return {
    ...(fleet
      ? {
          limiter(model, limits) {
            // Each run has its own: two of one worker must not overwrite each other's claims.
            const limiter = createSharedLimiter(model, limits, (ask) =>
              fleet.claimShare({ worker: `${worker}/${run}`, model, limits, ...ask }),
            );
            limiters.push(limiter);
            return limiter;
          },
        }
      : {}),
    ...(limited ? { account: runAccount(runs, run, allowance) } : {}),
  };
}
