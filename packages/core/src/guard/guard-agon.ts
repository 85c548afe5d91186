import { resultOf } from '@agonhq/engine/debate';
import { evaluationJob, type EvaluateOptions, type EvaluationAnswer, type Exchange } from '@agonhq/judges/evaluation';
import { createJobs } from '@agonhq/judges/job';
import { moderationJob, type Content, type ModerateOptions, type ModerationAnswer } from '@agonhq/judges/moderation';
import { openAgon, type AgonParts } from '../kits/index.ts';
import type { Settings } from '../settings/index.ts';

/** An Agon of the two jobs that guard: it loads nothing that reads documents. */
export interface GuardAgon {
  policy: { hash: string };
  moderate(content: string | Content, options?: ModerateOptions): Promise<ModerationAnswer>;
  evaluate(exchange: Exchange, options?: EvaluateOptions): Promise<EvaluationAnswer>;
  close(): Promise<void>;
}

const guardJobs = createJobs([moderationJob, evaluationJob]);

/** The settings may be those of an Agon that has another block for documents. */
export async function openGuardAgon(given: Settings, parts: Omit<AgonParts, 'jobs'> = {}): Promise<GuardAgon> {
  const { documents: _, ...settings } = given;
  const agon = await openAgon(settings, { only: ['moderation', 'evaluation'], ...parts, jobs: guardJobs });
  return {
    policy: agon.policy,
    moderate: (content, options) => resultOf(agon.judge(moderationJob, content, options)),
    evaluate: (exchange, options) => resultOf(agon.judge(evaluationJob, exchange, options)),
    close: () => agon.close(),
  };
}
