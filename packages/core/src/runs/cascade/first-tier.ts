import { createAgon, type Agon, type AgonParts } from '../../app/index.ts';
import { describeOtherModel, resultOf, type Answer, type Journal } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { describeAnswer, type Job, type JobAnswer, type Jobs } from '@agonhq/judges/job';
import { ownJobs } from '../../own-jobs.ts';
import { embeddedModel } from '@agonhq/models/reasoners';
import { blockOf, withoutSettings, type Settings } from '../../settings/index.ts';
import { readScore } from '@agonhq/engine/statistics';
import type { Cascade } from './read-cascade.ts';
import { findSide } from './fit-cascade.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { UnrecordedCase, Ledger } from '@agonhq/ledger';

/** A ledger for the first tier, and the way to judge one item with it. */
interface ClearRecord {
  ledger: Ledger;
  /** Whatever `judge` opens and closes goes on record together, or not at all: that is left to the caller. */
  within(judge: () => Promise<WithVerdict>): Promise<{ answer: WithVerdict; decided: UnrecordedCase | null }>;
}

/** A trial of one seat, without a call that costs anything, is sooner held again than looked up. */
const forgetful: Journal = { find: async () => undefined, insert: async (_, entry) => entry };

/** Only answers that decide are for the record: the case of any other is the debate's, which comes after. */
function onlyClear(ledger: Ledger, job: Job, isClear: (answer: WithVerdict) => boolean): ClearRecord {
  const trial = new AsyncLocalStorage<HeldCase>();
  return {
    ledger: {
      ...ledger,
      journal: forgetful,
      cases: {
        ...ledger.cases,
        openCase: async (opened) => {
          const held = trial.getStore()!;
          held.opened = opened;
          // The same text under the same policy and models was decided before, by whichever worker.
          const { answer, isOnRecord } = (await ledger.cases.recallDecided(opened)) ?? {};
          if (answer && !isOnRecord && hasVerdict(answer) && isClear(answer)) held.answer = answer;
          return answer;
        },
        closeCase: async (answer) => {
          if (hasVerdict(answer) && isClear(answer)) trial.getStore()!.answer = answer;
          return answer;
        },
      },
    },
    async within(judge) {
      const held: HeldCase = {};
      const answer = await trial.run(held, judge);
      if (!held.opened || !held.answer) return { answer, decided: null };
      const description = describeAnswer(job, held.answer);
      return { answer, decided: { opened: held.opened, answer: held.answer, description } };
    },
  };
}

type HeldCase = Partial<Pick<UnrecordedCase, 'opened' | 'answer'>>;
type WithVerdict = JobAnswer & Pick<Answer, 'verdict'>;

function hasVerdict(answer: JobAnswer): answer is WithVerdict {
  return 'verdict' in answer;
}

/** The embedded guard as a judge of its own: a trial with one seat and no debate. */
export interface GuardTrial {
  /** Hash of what gives the scores. */
  setup: string;
  /** The guard by its id, and which files of it. */
  digests?: Record<string, string> | undefined;
  judge(subject: unknown, signal?: AbortSignal): Promise<WithVerdict>;
  close(): Promise<void>;
}

/** The first tier of a cascade: what it decides is a case on record like any other. */
export interface FirstTier extends GuardTrial {
  /** The same, but for the record: the case that it decided is the caller's to keep. Null where it decided nothing. */
  decide(subject: unknown, signal?: AbortSignal): Promise<{ answer: WithVerdict; decided: UnrecordedCase | null }>;
}

/**
 * Puts the guard's trial together: moderation's arbiter alone, evaluation's one judge. Nothing of it goes on record.
 */
export async function openGuardTrial(job: string, settings: Settings, parts: AgonParts = {}): Promise<GuardTrial> {
  const { ledger: _, jobs = ownJobs, ...others } = parts;
  const own = guardSettings(jobs.require(job), settings);
  return trialOf(await createAgon(own, guardParts(job, jobs, others)), job);
}

/**
 * The first tier of a cascade. What it decides is a case on record like any other; of what it does not decide nothing
 * is kept. Refuses bounds that were fitted on the scores of another guard, or under another policy.
 */
export async function openFirstTier(cascade: Cascade, settings: Settings, parts: AgonParts = {}): Promise<FirstTier> {
  const { job } = cascade;
  const isClear = (answer: WithVerdict) => decideByCascade(cascade, answer) !== null;
  const { jobs = ownJobs } = parts;
  const record = parts.ledger ? onlyClear(parts.ledger, jobs.require(job), isClear) : null;
  const { journal: _, ...others } = parts;
  const agon = await createAgon(guardSettings(jobs.require(job), settings), {
    ...guardParts(job, jobs, others),
    ...(record ? { ledger: record.ledger } : {}),
  });
  const trial = trialOf(agon, job);
  try {
    assertFittedFor(cascade, trial);
  } catch (error) {
    await agon.close();
    throw error;
  }
  const decide: FirstTier['decide'] = async (subject, signal) =>
    record
      ? record.within(() => trial.judge(subject, signal))
      : { answer: await trial.judge(subject, signal), decided: null };
  return {
    ...trial,
    decide,
    async judge(subject, signal) {
      const { answer, decided } = await decide(subject, signal);
      if (decided) await parts.ledger!.cases.keepDecided(decided);
      return answer;
    },
  };
}

/** Refuses bounds that were fitted on the scores of another guard, or under another policy. */
export function assertFittedFor(cascade: Cascade, { setup, digests }: Pick<GuardTrial, 'setup' | 'digests'>): void {
  if (setup === cascade.guard) return;
  const otherModel = describeOtherModel(cascade.digests, digests);
  throw new AgonError(
    'cascade-mismatch',
    otherModel === null
      ? 'The cascade was fitted on another guard, or under another policy: its bounds mean nothing here.'
      : `The cascade was fitted on ${otherModel}: its bounds mean nothing here.`,
    'Fit it anew with `agon cascade fit --data FILE --out cascade.json`.',
  );
}

/**
 * What the guard says of an item, as far as it may decide on it: null where it could not judge, or has doubts of its
 * own.
 */
export function readClearScore({
  verdict: { label, risk, bar, escalate, degraded },
}: Pick<Answer, 'verdict'>): number | null {
  if (risk === null || bar === null || escalate || degraded.length > 0) return null;
  const score = readScore(risk, { bar });
  return label === (score < 0.5 ? 'safe' : 'unsafe') ? score : null;
}

/** What a cascade decides of an answer of its first tier; null when it is to be debated. */
export function decideByCascade(
  cascade: Pick<Cascade, 'safeUpTo' | 'unsafeFrom'>,
  answer: Pick<Answer, 'verdict'>,
): 'safe' | 'unsafe' | null {
  const score = readClearScore(answer);
  return score === null ? null : findSide(cascade, score);
}

/** No model that is called: what a guard that judges alone leaves out is the job's to say. */
function guardSettings(job: Job, settings: Settings): Settings {
  const { maxCharacters } = blockOf(settings, job);
  if (!job.guardAlone)
    throw new AgonError('cascade-mismatch', `The guard cannot judge ${job.id} alone.`, 'Run without --cascade.');
  return {
    ...(settings.policy === undefined ? {} : { policy: settings.policy }),
    ...(settings.sensitivity === undefined ? {} : { sensitivity: settings.sensitivity }),
    ...(settings.firstPass === undefined ? {} : { firstPass: settings.firstPass }),
    ledger: false,
    seats: { arbiter: embeddedModel, judge: embeddedModel },
    [job.id]: { ...job.guardAlone, ...(maxCharacters ? { maxCharacters } : {}) },
  };
}

/** Nothing of the environment, of a calibration or of precedents may change what the bounds were fitted on. */
function guardParts(job: string, jobs: Jobs, parts: AgonParts): AgonParts {
  const { environment = process.env, precedents: _, ...others } = parts;
  return {
    ...others,
    jobs,
    environment: withoutSettings(jobs, environment),
    only: [job],
    calibration: null,
    fitted: { [job]: null },
  };
}

function trialOf(agon: Agon, id: string): GuardTrial {
  const job = agon.jobs.require(id);
  const { setup, configuration, digests } = agon.provenanceOf(job);
  return {
    setup: setup ?? configuration,
    digests,
    async judge(subject, signal) {
      const answer = await resultOf(agon.judge(job, subject, { signal }));
      return { ...answer, verdict: job.debates(answer)[0]!.verdict };
    },
    close: () => agon.close(),
  };
}
