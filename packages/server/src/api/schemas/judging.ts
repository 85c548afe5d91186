import { z } from 'zod';
import { analysisRequestSchema } from '@agonhq/documents';
import { evaluationRequestSchema } from '@agonhq/judges/evaluation';
import { moderationRequestSchema } from '@agonhq/judges/moderation';
import { named } from './common.ts';

/* What is asked to be judged. */

export const moderationRequest = named('ModerationRequest', moderationRequestSchema);
export const evaluationRequest = named('EvaluationRequest', evaluationRequestSchema);
export const analysisRequest = named('AnalysisRequest', analysisRequestSchema);

export const jobRequest = named(
  'JobRequest',
  z
    .record(z.string(), z.unknown())
    .describe('The input of the job; `input` of the job in `GET /api/jobs` is its schema.'),
);

export const byJob = z.strictObject({
  job: z
    .string()
    .max(100)
    .regex(/^[\w.-]+$/, 'is no name of a job')
    .describe('The id of a job: one of `GET /api/jobs`.'),
});

const jobInfo = named(
  'Job',
  z.object({
    id: z.string(),
    title: z.string(),
    description: z.string().describe('What it answers, in a sentence.'),
    own: z.boolean().describe('True for the jobs that come with Agon, false for jobs from `jobs` in the settings.'),
    subject: z.string().describe('What is judged, as a noun.'),
    labels: z.array(z.string()).describe('The possible labels of a verdict.'),
    methods: z.array(z.string()).describe('The methods it can judge by; the first is the default.'),
    input: z.record(z.string(), z.unknown()).describe('What `POST /api/jobs/{job}/cases` takes, as a JSON schema.'),
  }),
);

export const jobList = named('JobList', z.object({ rows: z.array(jobInfo) }));
