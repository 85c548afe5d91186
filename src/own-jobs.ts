import { documentsJob } from './jobs/documents/index.ts';
import { evaluationJob } from './jobs/evaluation/index.ts';
import { createJobs } from './jobs/index.ts';
import { moderationJob } from './jobs/moderation/index.ts';

/** The jobs that Agon comes with: for the edges, where nobody has said which jobs there are. */
export const ownJobs = createJobs([moderationJob, evaluationJob, documentsJob]);
