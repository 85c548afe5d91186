import { documentsSetups, type Documents } from './documents-setups.ts';
import { evaluationSetups } from './evaluation-setups.ts';
import { moderationSetups } from './moderation-setups.ts';
import type { AgonParts, Job } from './parts.ts';
import { openWorkshop } from './workshop.ts';
import { resultOf, type Provenance, type Usage } from '../debate/index.ts';
import {
  analysis,
  documentsProvenanceOf,
  type Analysis,
  type AnalysisEvent,
  type AnalyzeOptions,
  type DocumentsProvenance,
} from '../jobs/documents/index.ts';
import { AgonError } from '../errors.ts';
import {
  evaluation,
  evaluationProvenanceOf,
  type EvaluateOptions,
  type EvaluationAnswer,
  type EvaluationEvent,
  type EvaluationProvenance,
  type Exchange,
} from '../jobs/evaluation/index.ts';
import {
  moderation,
  provenanceOf,
  type Content,
  type ModerateOptions,
  type ModerationAnswer,
  type ModerationEvent,
} from '../jobs/moderation/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Settings } from '../settings/index.ts';
import { closeTools } from '../tools/index.ts';

/**
 * Agon, put together once and used for any number of subjects. Each job has a verb, the same as a stream, and what
 * made its answers.
 */
export interface Agon {
  policy: Policy;
  moderate(content: string | Content, options?: ModerateOptions): Promise<ModerationAnswer>;
  /** The same as a stream: yields events, returns the answer. */
  moderation(
    content: string | Content,
    options?: ModerateOptions,
  ): AsyncGenerator<ModerationEvent, ModerationAnswer, void>;
  /** What made the answers, as each of them carries it: the configuration's hash among other things. */
  provenance(): Provenance;
  evaluate(exchange: Exchange, options?: EvaluateOptions): Promise<EvaluationAnswer>;
  evaluation(exchange: Exchange, options?: EvaluateOptions): AsyncGenerator<EvaluationEvent, EvaluationAnswer, void>;
  evaluationProvenance(): EvaluationProvenance;
  /** Judges the claims of files that belong together: paths, bytes with a name, or a dossier. */
  analyze(documents: Documents, options?: AnalyzeOptions): Promise<Analysis>;
  analysis(documents: Documents, options?: AnalyzeOptions): AsyncGenerator<AnalysisEvent, Analysis, void>;
  documentsProvenance(): DocumentsProvenance;
  /** What all calls cost so far. */
  spent(): Usage;
  close(): Promise<void>;
}

/**
 * Puts Agon together from settings (the environment counts below them). What a job lacks is said when it is asked for,
 * and at once when no job could be done, or none of those it is made for.
 *
 * @example const agon = await createAgon({ seats: { debaters: 'openai:gpt-4o-mini', arbiter: 'openai:gpt-4o' } })
 */
export async function createAgon(settings: Settings = {}, parts: AgonParts = {}): Promise<Agon> {
  const workshop = await openWorkshop(settings, parts);
  const jobs = {
    moderation: attempt('moderation', parts, () => moderationSetups(workshop)),
    evaluation: attempt('evaluation', parts, () => evaluationSetups(workshop)),
    documents: attempt('documents', parts, () => documentsSetups(workshop)),
  };
  const able = Object.values(jobs).some((job) => job.error === null);
  for (const job of parts.jobs ?? (able ? [] : (['moderation'] as const))) jobs[job].setup();

  const agon: Agon = {
    policy: workshop.policy,

    moderate: (content, options) => resultOf(agon.moderation(content, options)),
    async *moderation(content, options) {
      return yield* moderation(content, jobs.moderation.setup(), options);
    },
    provenance: () => provenanceOf(jobs.moderation.setup()),

    evaluate: (exchange, options) => resultOf(agon.evaluation(exchange, options)),
    async *evaluation(exchange, options) {
      return yield* evaluation(exchange, jobs.evaluation.setup(), options);
    },
    evaluationProvenance: () => evaluationProvenanceOf(jobs.evaluation.setup()),

    analyze: (documents, options) => resultOf(agon.analysis(documents, options)),
    async *analysis(documents, options) {
      const { setup, read } = jobs.documents.setup();
      const { dossier, originals } = await read(documents, options?.signal);
      return yield* analysis(dossier, { ...setup, originals }, options);
    },
    documentsProvenance: () => documentsProvenanceOf(jobs.documents.setup().setup),

    spent: () => workshop.pool.spent(),
    async close() {
      // Whoever handed a ledger in closes it.
      if (!parts.ledger) await workshop.ledger?.close();
      await closeTools();
    },
  };
  return agon;
}

/** A job as far as it could be put together: what is wrong with one must not keep the others from their work. */
function attempt<Setup>(
  job: Job,
  { jobs }: AgonParts,
  assemble: () => () => Setup,
): { error: AgonError | null; setup(): Setup } {
  try {
    if (jobs && !jobs.includes(job))
      throw new AgonError('other-job', `This Agon was not made for ${job}.`, `Name it in parts.jobs: ["${job}"].`);
    return { error: null, setup: assemble() };
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return {
      error,
      setup: () => {
        throw error;
      },
    };
  }
}
