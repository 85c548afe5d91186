import { documentsJob } from '@agonhq/documents';
import { evaluationJob } from '@agonhq/judges/evaluation';
import { createJobs } from '@agonhq/judges/job';
import { moderationJob } from '@agonhq/judges/moderation';

/** The jobs that Agon comes with: for the edges, where nobody has said which jobs there are. */
export const ownJobs = createJobs([moderationJob, evaluationJob, documentsJob]);
