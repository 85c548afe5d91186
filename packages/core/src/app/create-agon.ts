import { resultOf } from '@agonhq/engine/debate';
import { documentsJob, type Analysis, type AnalyzeOptions, type Documents } from '@agonhq/documents';
import { evaluationJob, type EvaluateOptions, type EvaluationAnswer, type Exchange } from '@agonhq/judges/evaluation';
import { moderationJob, type Content, type ModerateOptions, type ModerationAnswer } from '@agonhq/judges/moderation';
import { openAgon, type AgonParts, type JobAgon } from '../kits/index.ts';
import { ownJobs } from '../own-jobs.ts';
import type { Settings } from '../settings/index.ts';
import { closeSpeechModel, closeImageModels } from '@agonhq/models/senses';
import { readFiles } from './read-files.ts';

/** Agon, put together once and used for any number of subjects. */
export interface Agon extends JobAgon {
  moderate(content: string | Content, options?: ModerateOptions): Promise<ModerationAnswer>;
  evaluate(exchange: Exchange, options?: EvaluateOptions): Promise<EvaluationAnswer>;
  /** Judges the claims of files that belong together: paths, bytes with a name, or a dossier. */
  analyze(documents: Documents, options?: AnalyzeOptions): Promise<Analysis>;
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
export async function createAgon(settings: Settings = {}, parts: AgonParts = {}): Promise<Agon> {
  const agon = await openAgon(settings, { jobs: ownJobs, readFiles, ...parts });
  return {
    ...withVerbs(agon),
    async close() {
      await Promise.all([agon.close(), closeImageModels(), closeSpeechModel()]);
    },
  };
}

/** With a verb for each job that Agon comes with. */
export function withVerbs<Opened extends JobAgon>(agon: Opened): Opened & Agon {
  return {
    ...agon,
    moderate: (content, options) => resultOf(agon.judge(moderationJob, content, options)),
    evaluate: (exchange, options) => resultOf(agon.judge(evaluationJob, exchange, options)),
    analyze: (documents, options) => resultOf(agon.judge(documentsJob, documents, options)),
  };
}
