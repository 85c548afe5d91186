import { resultOf, type Usage } from '../debate/index.ts';
import { AgonError } from '../errors.ts';
import { documentsJob, type Analysis, type AnalyzeOptions, type Documents } from '../jobs/documents/index.ts';
import { evaluationJob, type EvaluateOptions, type EvaluationAnswer, type Exchange } from '../jobs/evaluation/index.ts';
import {
  allJobs,
  type Job,
  type JobAnswer,
  type Jobs,
  type JudgeEvent,
  type JudgeOptions,
  type OpenJob,
} from '../jobs/index.ts';
import { moderationJob, type Content, type ModerateOptions, type ModerationAnswer } from '../jobs/moderation/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Settings } from '../settings/index.ts';
import { closeEars, closeEyes } from '../senses/index.ts';
import { attendCase } from './attend-case.ts';
import { openKits } from './open-kits.ts';
import type { AgonParts } from './parts.ts';

/** Agon, put together once and used for any number of subjects. */
export interface Agon {
  policy: Policy;
  /** The jobs that it knows. */
  jobs: Jobs;
  /**
   * Judges a subject of any job: yields what happens as it happens, returns the answer.
   *
   * @example for await (const event of agon.judge(moderationJob, 'some text')) console.log(event.type)
   */
  judge<Input, Answer extends JobAnswer, Event extends JudgeEvent, Options extends JudgeOptions>(
    job: Job<Input, Answer, Event, Options>,
    input: Input,
    options?: Options,
  ): AsyncGenerator<Event, Answer, void>;
  /** What made the answers of a job, as each of them carries it: the configuration's hash among other things. */
  provenanceOf<Input, Answer extends JobAnswer, Event extends JudgeEvent, Options extends JudgeOptions>(
    job: Job<Input, Answer, Event, Options>,
  ): Answer['provenance'];
  moderate(content: string | Content, options?: ModerateOptions): Promise<ModerationAnswer>;
  evaluate(exchange: Exchange, options?: EvaluateOptions): Promise<EvaluationAnswer>;
  /** Judges the claims of files that belong together: paths, bytes with a name, or a dossier. */
  analyze(documents: Documents, options?: AnalyzeOptions): Promise<Analysis>;
  /** What all calls cost so far. */
  spent(): Usage;
  close(): Promise<void>;
}

/**
 * Puts Agon together from settings (the environment counts below them). What a job lacks is said when it is asked for,
 * and at once when no job could be done, or none of those it is made for.
 *
 * It keeps nothing and knows nothing of what people decided and the command line learnt, unless it has the ledger:
 * `{ ledger: true }` is the installation's own, as at the command line. The default is none, since a program that
 * imports Agon must not write into a home folder unasked.
 *
 * @example const agon = await createAgon({ seats: { debaters: 'openai:gpt-4o-mini', arbiter: 'openai:gpt-4o' } })
 */
export async function createAgon(settings: Settings = {}, { jobs = allJobs, ...parts }: AgonParts = {}): Promise<Agon> {
  const kits = await openKits(settings, jobs, parts);
  const opened = new Map<string, OpenJob | AgonError>();
  for (const job of jobs.list()) if (parts.only?.includes(job.id) ?? true) opened.set(job.id, attempt(job));
  const all = [...opened.values()];
  if (parts.only || all.every((one) => AgonError.is(one))) for (const one of all) if (AgonError.is(one)) throw one;

  /** A job as far as it could be put together: what is wrong with one must not keep the others from their work. */
  function attempt(job: Job): OpenJob | AgonError {
    try {
      return job.open(kits.kitFor(job));
    } catch (error) {
      if (AgonError.is(error)) return error;
      throw error;
    }
  }

  /** The one place where a job's types are lost and found: what is kept under its id is what it opened. */
  function find<Input, Answer extends JobAnswer, Event extends JudgeEvent, Options extends JudgeOptions>({
    id,
  }: Job<Input, Answer, Event, Options>): OpenJob<Input, Answer, Event, Options> {
    const open = opened.get(id);
    if (open === undefined)
      throw new AgonError('other-job', `This Agon was not made for ${id}.`, `Name it in parts.only: ["${id}"].`);
    if (AgonError.is(open)) throw open;
    return open as unknown as OpenJob<Input, Answer, Event, Options>;
  }

  const agon: Agon = {
    policy: kits.policy,
    jobs,
    async *judge(job, input, options) {
      return yield* attendCase(find(job).judge(input, options), kits.ledger);
    },
    provenanceOf: (job) => find(job).provenance(),
    moderate: (content, options) => resultOf(agon.judge(moderationJob, content, options)),
    evaluate: (exchange, options) => resultOf(agon.judge(evaluationJob, exchange, options)),
    analyze: (documents, options) => resultOf(agon.judge(documentsJob, documents, options)),
    spent: () => kits.pool.spent(),
    async close() {
      // Whoever handed a ledger in closes it.
      if (!parts.ledger) await kits.ledger?.close();
      await Promise.all([closeEyes(), closeEars(), parts.pool ? undefined : kits.pool.close?.()]);
    },
  };
  return agon;
}
