import type { OwnJobId as Job } from '../../jobs/index.ts';
import { AgonError } from '../../errors.ts';
import { assertNotDraining, type ServerContext } from '../server-context.ts';
import type { LiveTrial } from './live-trial.ts';
import { createAnswerEvent, createEventNamer, type TrialEvent } from './trial-events.ts';
import { describeVerdict } from '../event-feed.ts';
import { replyWithEvents, replyWithLocation, Reply, type SentEvent } from '../reply.ts';
import type { Agon } from '../../app/index.ts';
import { hashOf, sha256 } from '../../hash.ts';
import { moderationJob, type Content, type ImageInput, type ModerationAnswer } from '../../jobs/moderation/index.ts';
import type { JudgingMethod } from '../agon-pool.ts';
import type { Analysis } from '../../jobs/documents/index.ts';
import type { EvaluationAnswer } from '../../jobs/evaluation/index.ts';

export type Answered = ModerationAnswer | EvaluationAnswer | Analysis;

/** By job, the group of the API that its cases are in. */
export const groupOf: Record<Job, 'moderations' | 'evaluations' | 'analyses'> = {
  moderation: 'moderations',
  evaluation: 'evaluations',
  documents: 'analyses',
};

/** Where the answer of a case can be asked for. */
function locationOf(job: Job, id: string): string {
  return `/api/${groupOf[job]}/${encodeURIComponent(id)}`;
}

/** A trial that somebody asks for. */
export interface Trial<Result extends object = Answered> {
  job: Job;
  /** Trials of the same key are one. */
  key: string;
  hold(signal: AbortSignal, stream: boolean): AsyncGenerator<TrialEvent, Result, void>;
}

/** Somebody who asks for what takes its time. */
export interface Asking {
  signal: AbortSignal;
  wantsEvents: boolean;
}

/** Holds a trial for a client: its answer when it has ended, or its events as they happen. */
export async function hear(asking: Asking, context: ServerContext, trial: Trial): Promise<Reply> {
  return hearAs(asking, context, trial, ({ id }) => locationOf(trial.job, id));
}

/**
 * The same for trials whose result is not an answer; `locate` says where the result can be asked for again, if
 * anywhere.
 */
export async function hearAs<Result extends object>(
  { signal, wantsEvents }: Asking,
  context: ServerContext,
  trial: Trial<Result>,
  locate: (result: Result) => string | null,
): Promise<Reply> {
  assertNotDraining(context);
  const hearing = await openHearing(context, trial, signal, wantsEvents);
  if (wantsEvents) return replyWithEvents((options) => hearing.subscribe(options));
  const result = await hearing.waitForResult(signal);
  const location = locate(result);
  return location === null ? new Reply({ json: result }) : replyWithLocation(result, location);
}

/** What a trial comes to, for somebody who waits for nothing else. */
export async function heard<Result extends object>(
  context: ServerContext,
  trial: Trial<Result>,
  signal: AbortSignal,
): Promise<Result> {
  assertNotDraining(context);
  return (await openHearing(context, trial, signal, false)).waitForResult(signal);
}

function openHearing<Result extends object>(
  context: ServerContext,
  { job, key, hold }: Trial<Result>,
  signal: AbortSignal,
  stream: boolean,
): Promise<LiveTrial<Result>> {
  return context.trials.startOrJoin<Result>(
    {
      key,
      async *hold(stop) {
        const tell = createEventNamer();
        const began = performance.now();
        try {
          const trial = hold(stop, stream);
          let step = await trial.next();
          for (; !step.done; step = await trial.next()) yield tell(step.value);
          const { value } = step;
          context.metrics.countTrial(job, labelOf(value), (performance.now() - began) / 1000);
          for (const item of describeVerdict(job, value)) context.feed.publish(item);
          return value;
        } catch (error) {
          context.metrics.countTrial(
            job,
            AgonError.is(error) ? error.code : 'internal',
            (performance.now() - began) / 1000,
          );
          throw error;
        }
      },
      conclude: (result): SentEvent => createAnswerEvent(result),
    },
    signal,
  );
}

function labelOf(result: object): string {
  if ('outlook' in result) return (result as { outlook: { label: string } }).outlook.label;
  if ('verdict' in result) return (result as { verdict: { label: string } }).verdict.label;
  return 'held-again';
}

/** A trial about something under a policy: the same about, the same trial. */
export function trialOf<Answer extends Answered>(
  job: Job,
  agon: Agon,
  about: readonly unknown[],
  hold: Trial<Answer>['hold'],
): Trial<Answer> {
  const { policy } = agon;
  return { job, key: hashOf([job, policy.hash, about.map((part) => part ?? null)]), hold };
}

export function moderationTrial(
  agon: Agon,
  method: JudgingMethod | undefined,
  content: Content,
): Trial<ModerationAnswer> {
  return trialOf('moderation', agon, [method, keyOfContent(content)], (signal, stream) =>
    agon.judge(moderationJob, content, { signal, stream }),
  );
}

/** What tells one content from another, without holding its bytes twice. */
function keyOfContent({ images, ...rest }: Content): unknown {
  return {
    ...rest,
    images: images?.map((image: ImageInput) => ('data' in image ? sha256(image.data) : image)) ?? null,
  };
}
