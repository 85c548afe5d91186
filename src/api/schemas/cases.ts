import { z } from 'zod';
import { claimLabels } from '../../jobs/documents/index.ts';
import { anyAnswer } from './answers.ts';
import { flag, job, knownJob, moment, named, pageOf, paging } from './common.ts';

export const caseSummary = named(
  'CaseSummary',
  z.object({
    id: z.string(),
    job,
    subject: z.string(),
    configuration: z.string(),
    run: z.string().nullable(),
    again: z
      .object({ of: z.string(), how: z.enum(['replay', 'appeal']) })
      .nullable()
      .describe('The case that this one is a retrial of.'),
    openedAt: moment,
    closedAt: moment.nullable(),
    label: z.string().nullable().describe('Null while it is being judged.'),
    score: z
      .number()
      .nullable()
      .describe('Where the job states a risk: the risk with its bar at 0.5, deprecated in favour of `probability`.'),
    probability: z.number().nullable().describe('The risk, where the configuration is calibrated.'),
    confidence: z.number().nullable().describe('Deprecated: how sure the judge says it is of its label.'),
    disagreement: z.number().nullable().describe('How far apart the two sides ended, 0 to 1.'),
    escalate: z.boolean(),
    rule: z.string().nullable(),
    categories: z.array(z.string()),
    degraded: z.boolean(),
    modality: z.string().nullable(),
    models: z.array(z.string()),
    excerpt: z.string().nullable().describe('The first words of what was judged; null when it was forgotten.'),
    decided: z.boolean().describe('By a person.'),
    seal: z.string().nullable(),
    forgottenAt: moment.nullable(),
  }),
);
export type CaseRow = z.infer<typeof caseSummary>;

export const casePage = pageOf('CasePage', caseSummary);

/** Filters of the list of cases, as a query gives them. */
export const caseQuery = z.strictObject({
  ...paging,
  label: z.string().max(50).optional(),
  category: z.string().max(100).optional().describe('A category of the policy.'),
  modality: z.enum(['text', 'image', 'text+image', 'audio', 'video', 'documents']).optional(),
  escalated: flag.optional().describe('Only cases that are (or are not) escalated to a person.'),
  degraded: flag.optional(),
  decided: flag.optional().describe('Only cases that a person has (or has not) decided.'),
  finished: flag.optional(),
  run: z.string().max(200).optional(),
  model: z.string().max(200).optional().describe('Only cases in which this model took a seat.'),
  minDisagreement: z.coerce.number().min(0).max(1).optional(),
  maxConfidence: z.coerce.number().min(0).max(1).optional(),
  since: moment.optional(),
  until: moment.optional(),
  search: z.string().max(200).optional().describe('Words from the beginning of the judged content.'),
});
export const allCasesQuery = caseQuery.extend({ job: knownJob.optional() });

export const decision = named(
  'Decision',
  z
    .object({
      id: z.string(),
      case: z.string(),
      label: z.enum(['safe', 'unsafe']),
      why: z.string().nullable(),
      clause: z.string().nullable(),
      by: z.string(),
      at: moment,
      learntAt: moment.nullable(),
    })
    .describe('A person’s decision on a case. Decisions are never changed: a later one overrides an earlier one.'),
);

export const correction = named(
  'Correction',
  z
    .object({
      id: z.string(),
      case: z.string().describe('The analysis.'),
      claim: z.string().describe('`claim-02`.'),
      text: z.string().describe('The claim in its own words.'),
      verdict: z.string().describe('The verdict of the machine.'),
      label: z.enum(claimLabels),
      why: z.string(),
      by: z.string(),
      at: moment,
      withdrawn: z.object({ by: z.string(), why: z.string().nullable(), at: moment }).nullable(),
    })
    .describe(
      'What a person says the verdict on a claim should have been. It stands beside the analysis, which stays as it ' +
        'is; later analyses recall it on the same claim and on claims alike. Never changed, but withdrawn.',
    ),
);
export const correctionList = named('CorrectionList', z.object({ rows: z.array(correction) }));

const all = flag.optional().describe('Those that were withdrawn or replaced, too; by default those that stand.');
export const correctionsQuery = z.strictObject({ all });

const who = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The person who says so; a key with a reviewer speaks in their name.');
export const correctionRequest = named(
  'CorrectionRequest',
  z.strictObject({
    claim: z.string().min(1).max(50).describe('Its id (`claim-02`) or its number (`2`).'),
    label: z.enum(claimLabels),
    why: z.string().min(1).max(5000).describe('What the verdict overlooks: later analyses are shown it.'),
    by: who,
  }),
);
export const withdrawalRequest = named(
  'WithdrawalRequest',
  z.strictObject({ why: z.string().max(5000).optional(), by: who }),
);

const attachment = z.object({ hash: z.string(), mediaType: z.string(), bytes: z.int() });
export const attachmentList = named(
  'AttachmentList',
  z.object({ rows: z.array(attachment) }).describe('Empty if the files were forgotten or not stored.'),
);

export const caseRecord = named(
  'Case',
  caseSummary.extend({
    policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }),
    content: z
      .unknown()
      .describe('The judged content as it was submitted; images by their hash. Null if it was forgotten.'),
    attachments: z.array(attachment),
    answer: anyAnswer.nullable(),
    decisions: z.array(decision),
    corrections: z.array(correction).describe('What people said of the claims of an analysis, withdrawn ones too.'),
    retrials: z.array(caseSummary).describe('Its replays and appeals.'),
    live: z.boolean().describe('Whether it is being judged on this server now: its events can be followed.'),
  }),
);

export const feedbackRequest = named(
  'FeedbackRequest',
  z.strictObject({
    label: z.enum(['safe', 'unsafe']),
    why: z.string().max(5000).optional(),
    clause: z.string().max(200).optional().describe('A clause of the policy that it was judged by.'),
    by: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The person who decides; a key with a reviewer decides in their name.'),
  }),
);

export const feedbackGiven = named(
  'FeedbackGiven',
  z.object({
    case: z.string(),
    label: z.enum(['safe', 'unsafe']),
    verdict: z.string(),
    right: z.boolean().describe('Whether the verdict was right.'),
    by: z.string(),
    decision: z.string(),
    repeated: z.boolean(),
  }),
);

const seats = z.record(z.string().max(50), z.string().max(200)).describe('Models by seat, as provider:model.');

export const replayRequest = named(
  'ReplayRequest',
  z
    .strictObject({
      withoutPrecedents: z.array(z.string().max(200)).max(50).optional(),
      policy: z.string().max(200).optional().describe('The hash of a policy on record.'),
      seats: seats.optional(),
    })
    .describe('The one thing to change; nothing, to check that the trial comes out the same.'),
);

export const appealRequest = named(
  'AppealRequest',
  z.strictObject({
    statement: z.string().max(20_000).optional().describe('The statement of the person concerned.'),
    model: z
      .string()
      .max(200)
      .optional()
      .describe('The models that hear the appeal, as provider:model; by default other models than the first time.'),
    seats: seats.optional(),
  }),
);

export const stopped = named(
  'Stopped',
  z.object({
    case: z.string(),
    stopped: z
      .boolean()
      .describe('Whether it was being judged on this server; trials that have ended are not affected.'),
  }),
);

export const forgotten = named(
  'Forgotten',
  z.object({ case: z.string(), cases: z.int().describe('How many cases were about the same content.') }),
);
