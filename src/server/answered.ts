import type { OwnJobId as Job } from '../jobs/index.ts';
import type { Analysis } from '../jobs/documents/index.ts';
import type { EvaluationAnswer } from '../jobs/evaluation/index.ts';
import type { ModerationAnswer } from '../jobs/moderation/index.ts';

export type Answered = ModerationAnswer | EvaluationAnswer | Analysis;

/** By job, the group of the API that its cases are in. */
export const groupOf: Record<Job, 'moderations' | 'evaluations' | 'analyses'> = {
  moderation: 'moderations',
  evaluation: 'evaluations',
  documents: 'analyses',
};

/** Where the answer of a case can be asked for. */
export function locationOf(job: Job, id: string): string {
  return `/api/${groupOf[job]}/${encodeURIComponent(id)}`;
}
