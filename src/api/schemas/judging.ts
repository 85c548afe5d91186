import { z } from 'zod';
import { analysisRequestSchema } from '../../jobs/documents/index.ts';
import { evaluationRequestSchema } from '../../jobs/evaluation/index.ts';
import { moderationRequestSchema } from '../../jobs/moderation/index.ts';
import { named } from './common.ts';

/* What is asked to be judged. */

export const moderationRequest = named('ModerationRequest', moderationRequestSchema);
export const evaluationRequest = named('EvaluationRequest', evaluationRequestSchema);
export const analysisRequest = named('AnalysisRequest', analysisRequestSchema);

export const jobRequest = named(
  'JobRequest',
  z.record(z.string(), z.unknown()).describe('What the job judges, as `input` of the job in `GET /api/jobs` says it.'),
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
    own: z.boolean().describe('Agon comes with it; false for a job that the server was given.'),
    subject: z.string().describe('What is judged, as a word in a sentence.'),
    labels: z.array(z.string()).describe('The labels that a case can end with.'),
    methods: z.array(z.string()).describe('How it can judge; the first is the default.'),
    input: z.record(z.string(), z.unknown()).describe('What `POST /api/jobs/{job}/cases` takes, as a JSON schema.'),
  }),
);

export const jobList = named('JobList', z.object({ rows: z.array(jobInfo) }));
