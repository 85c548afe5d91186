import type { Agon } from '@agonhq/core/app';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf, sha256 } from '@agonhq/engine/hash';
import type { Job, JobAnswer, JudgeEvent, JudgeOptions } from '@agonhq/judges/job';
import type { Policy } from '@agonhq/engine/policy';
import { mergeSettings } from '@agonhq/core/settings';
import type { Sensitivity } from '@agonhq/engine/policy/sensitivity';
import { methodSettings } from '../agon-pool.ts';
import type { Retrial } from '@agonhq/core/retrials';
import { describeVerdict } from '../event-feed.ts';
import { replyWithEvents, replyWithLocation, Reply } from '../reply.ts';
import { assertNotDraining, type ServerContext } from '../server-context.ts';
import type { LiveTrial } from './live-trial.ts';
import { createAnswerEvent, createEventNamer } from './trial-events.ts';
import type { AskedFor } from '../watching/shadow-trials.ts';

/** A trial that somebody asks for: what it comes to is an answer, or how a case was held again. */
export interface Trial<Result extends JobAnswer | Retrial = JobAnswer> {
  job: string;
  /** Trials of the same key are one. */
  key: string;
  /** How it is asked to be judged, other than by the settings; absent where nothing in the shadow compares with it. */
  asked?: AskedFor;
  hold(signal: AbortSignal, stream: boolean): AsyncGenerator<JudgeEvent, Result, void>;
}

/** Somebody who asks for what takes its time. */
export interface Asking {
  signal: AbortSignal;
  wantsEvents: boolean;
}

/** How something is judged, where it is not as the server is configured. */
export interface Manner {
  method?: string | undefined;
  sensitivity?: Sensitivity | undefined;
  seats?: Readonly<Record<string, string>> | undefined;
  policy?: Policy | undefined;
  budgetUsd?: number | undefined;
}

/** What is to be judged, and how. */
export interface Subject<Input, Options> extends Manner {
  input: Input;
  options?: Options | undefined;
  /** What tells this subject from another, where that is known; by default the input. */
  about?: unknown;
}

/** A trial about a subject; by an Agon of its own where models, policy or budget are its own. */
export async function openTrial<
  Input,
  Answer extends JobAnswer,
  Event extends JudgeEvent,
  Options extends JudgeOptions,
>(
  { agons }: ServerContext,
  job: Job<Input, Answer, Event, Options>,
  subject: Subject<Input, Options>,
): Promise<Trial<Answer>> {
  const { method, sensitivity, seats, policy, budgetUsd } = subject;
  if (!seats && !policy && budgetUsd === undefined)
    return makeTrial(await agons.agonFor(job.id, method, sensitivity), job, subject);
  const changes = mergeSettings(methodSettings(job.id, method), {
    sensitivity,
    ...(seats ? { seats: { ...seats } } : {}),
    ...(budgetUsd === undefined ? {} : { budget: { itemUsd: budgetUsd } }),
  });
  return {
    job: job.id,
    key: nameTrial(job.id, (policy ?? agons.activePolicy()).hash, subject),
    async *hold(signal, stream) {
      const agon = await agons.openAgon(job.id, changes, policy);
      try {
        return yield* makeTrial(agon, job, subject).hold(signal, stream);
      } finally {
        await agon.close();
      }
    },
  };
}

/** The same by an Agon that is at hand. */
export function makeTrial<Input, Answer extends JobAnswer, Event extends JudgeEvent, Options extends JudgeOptions>(
  agon: Agon,
  job: Job<Input, Answer, Event, Options>,
  subject: Subject<Input, Options>,
): Trial<Answer> {
  const { input, options } = subject;
  return {
    job: job.id,
    asked: { method: subject.method, sensitivity: subject.sensitivity },
    key: nameTrial(job.id, agon.policy.hash, subject),
    hold: (signal, stream) => agon.judge(job, input, Object.assign({}, options, { signal, stream })),
  };
}

/** What trials have in common that are one: who judges what, by which policy and how. */
function nameTrial(job: string, policy: string, subject: Subject<unknown, unknown>): string {
  const { method, sensitivity, seats, budgetUsd, input, options, about = replaceBytes(input) } = subject;
  const manner = [method ?? null, sensitivity ?? null, seats ?? null, budgetUsd ?? null];
  return hashOf([job, policy, manner, about ?? null, options ?? null]);
}

/** A value with hashes for the bytes in it. */
function replaceBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return sha256(value);
  if (Array.isArray(value)) return value.map(replaceBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceBytes(member)]));
}

/** Holds a trial for a client: its answer when it has ended, or its events as they happen. */
export async function replyWithTrial(
  asking: Asking,
  context: ServerContext,
  trial: Trial<JobAnswer | Retrial>,
): Promise<Reply> {
  const { signal, wantsEvents } = asking;
  const live = await startTrial(context, trial, signal, wantsEvents);
  if (wantsEvents) return replyWithEvents((options) => live.subscribe(options));
  const result = await live.waitForResult(signal);
  // A case that was held again is recalled when it is asked for again: it has no address of its own.
  if ('how' in result) return new Reply({ json: result });
  return replyWithLocation(result, `/api/cases/${encodeURIComponent(result.id)}/answer`);
}

/** Begins a trial, or joins the one that is held. */
export async function startTrial<Result extends JobAnswer | Retrial>(
  context: ServerContext,
  { job, key, hold, asked }: Trial<Result>,
  signal: AbortSignal,
  stream: boolean,
): Promise<LiveTrial<Result>> {
  assertNotDraining(context);
  const { jobs, metrics, feed, trials, shadows } = context;
  const judged = jobs.require(job);
  async function* run(stop: AbortSignal) {
    const name = createEventNamer(judged);
    const began = performance.now();
    const count = (outcome: string) => metrics.countTrial(job, outcome, (performance.now() - began) / 1000);
    try {
      const trial = hold(stop, stream);
      let step = await trial.next();
      for (; !step.done; step = await trial.next()) yield name(step.value);
      const result: JobAnswer | Retrial = step.value;
      count('how' in result ? 'held-again' : judged.summarize(result).label);
      for (const item of describeVerdict(judged, 'how' in result ? result.answer : result)) feed.publish(item);
      if (!('how' in result) && asked) shadows.offer(result, asked);
      return step.value;
    } catch (error) {
      count(AgonError.is(error) ? error.code : 'internal');
      throw error;
    }
  }
  return trials.startOrJoin<Result>({ key, hold: run, conclude: createAnswerEvent }, signal);
}
