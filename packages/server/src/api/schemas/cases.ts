import { z } from 'zod';
import { legalHold } from './accountability.ts';
import { keptContextSchema } from '@agonhq/engine/items/item-context';
import { disclosedSchema, modelCallSchema } from '@agonhq/engine/debate';
import {
  caseFilterParts,
  caseStates,
  type CaseFilterName,
  type CaseFilterPart,
  type CaseFilterParts,
  type PartValue,
} from '@agonhq/ledger/cases/case-filter';
import { anyAnswer } from './answers.ts';
import { askedMoment, flag, job, knownJob, moment, named, pageOf, paging, share, person, severity } from './common.ts';
import { correction } from './corrections.ts';

/** What is to be done, as people say it. */
export const chosenAction = z
  .string()
  .max(100)
  .optional()
  .describe(
    'What is to be done: remove, restrict, label, warn, escalate, allow, or one of the policy’s own. By default what ' +
      'the policy asks for: to allow what is safe, the action of the clause, else what the verdict proposed.',
  );

export const caseSummary = named(
  'CaseSummary',
  z.object({
    id: z.string(),
    job,
    subject: z.string(),
    configuration: z.string(),
    run: z.string().nullable(),
    again: z
      .object({ of: z.string(), how: z.enum(['replay', 'appeal', 'shadow']) })
      .nullable()
      .describe('The case that this one is a retrial of.'),
    openedAt: moment,
    closedAt: moment.nullable(),
    state: z
      .enum(caseStates)
      .describe('`judging`: somebody works on it now. `interrupted`: nobody does, and it has no verdict.'),
    problem: z
      .object({ code: z.string(), message: z.string(), hint: z.string() })
      .nullable()
      .describe('What stopped it; null where nothing did, or nobody could say so any more.'),
    label: z.string().nullable().describe('Null while it has no verdict.'),
    risk: z.number().nullable().describe('Null when nobody was heard, and of a job that states no risk.'),
    bar: z.number().nullable().describe('The risk from which it is unsafe.'),
    disagreement: z.number().nullable().describe('How far apart the two sides ended, 0 to 1.'),
    escalate: z.boolean(),
    rule: z.string().nullable(),
    categories: z.array(z.string()),
    degraded: z.boolean(),
    modality: z.string().nullable(),
    action: z.string().nullable().describe('What the verdict proposes; null where there is no policy.'),
    severity: severity.nullable(),
    author: z.string().nullable().describe('Of its context.'),
    thread: z.string().nullable(),
    models: z.array(z.string()),
    excerpt: z.string().nullable().describe('The first words of what was judged; null when it was forgotten.'),
    decided: z.boolean().describe('By a person.'),
    seal: z.string().nullable(),
    forgottenAt: moment.nullable(),
  }),
);
export type CaseRow = z.infer<typeof caseSummary>;

export const casePage = pageOf('CasePage', caseSummary);

/** How a query gives a part of the filter, by its kind. */
const readers = {
  text: ({ most }) => z.string().max(most),
  choice: ({ of }) => z.enum(of),
  flag: () => flag,
  share: () => z.coerce.number().min(0).max(1),
  moment: () => askedMoment,
} satisfies { [Kind in CaseFilterPart['kind']]: (part: Extract<CaseFilterPart, { kind: Kind }>) => z.ZodType };

type PartSchema<Part extends CaseFilterPart> = z.ZodOptional<
  z.ZodType<
    PartValue<Part>,
    Part['kind'] extends 'text' | 'choice' ? PartValue<Part> : z.input<ReturnType<(typeof readers)[Part['kind']]>>
  >
>;

const caseFilter = Object.fromEntries(
  Object.entries(caseFilterParts).map(([name, part]) => [
    name,
    readers[part.kind](part as never)
      .optional()
      .describe(`Only cases ${part.means}${part.kind === 'flag' ? '; `false`: only the others' : ''}.`),
  ]),
) as unknown as { [Name in CaseFilterName]: PartSchema<CaseFilterParts[Name]> };

/** Filters of the list of cases, as a query gives them. */
export const caseQuery = z.strictObject({ ...paging, ...caseFilter, job: knownJob.optional() });

export const decision = named(
  'Decision',
  z
    .object({
      id: z.string(),
      case: z.string(),
      label: z.enum(['safe', 'unsafe']),
      why: z.string().nullable(),
      clause: z.string().nullable(),
      action: z.string().nullable().describe('What is to be done; null where nobody said, and for what is older.'),
      by: z.string(),
      at: moment,
      learntAt: moment.nullable(),
    })
    .describe('A person’s decision on a case. Decisions are never changed: a later one overrides an earlier one.'),
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
    context: keptContextSchema
      .nullable()
      .describe('What is known about it beside what it says. Null where nothing is, or if it was forgotten.'),
    attachments: z.array(attachment),
    answer: anyAnswer.nullable(),
    decisions: z.array(decision),
    corrections: z.array(correction).describe('What people said of the claims of an analysis, withdrawn ones too.'),
    retrials: z.array(caseSummary).describe('Its replays and appeals.'),
    holds: z.array(legalHold).describe('Legal holds in force that keep it from being deleted.'),
    live: z.boolean().describe('Whether it is being judged on this server now: its events can be followed.'),
  }),
);

export const bundleQuery = z.strictObject({
  redact: flag.optional().describe('Leaves out what reveals the content, and puts salted commitments in its place.'),
});

export const callsQuery = z.strictObject({
  turn: z.string().min(1).max(300).describe('The key of the turn: `round-1/strict-debater`.'),
});

const embeddedReading = named(
  'EmbeddedReading',
  z.object({
    source: z.string(),
    as: z.enum(['text', 'image', 'text+image', 'exchange']),
    risk: z.number().describe('By this model alone: before precedents, the policy and a second opinion.'),
    passages: z.array(z.string()).describe('What pushes the risk most, the first the most.'),
  }),
);

export const turnCalls = named(
  'TurnCalls',
  z
    .object({
      case: z.string(),
      turn: z.string(),
      calls: z.array(modelCallSchema).describe('Every attempt, in order.'),
      readings: z
        .array(embeddedReading)
        .nullable()
        .describe('How the embedded model reads the case; null for another reasoner, or a model that is not here.'),
    })
    .describe('What was really sent and said for a turn.'),
);

export const caseDisclosures = named(
  'CaseDisclosures',
  z
    .object({
      case: z.string(),
      disclosures: z.array(disclosedSchema).describe('Empty where no model outside of Agon was asked.'),
    })
    .describe('What left the machine for a case, and to whom.'),
);

export const feedbackRequest = named(
  'FeedbackRequest',
  z.strictObject({
    label: z.enum(['safe', 'unsafe']),
    why: z.string().max(5000).optional(),
    clause: z.string().max(200).optional().describe('A clause of the policy that it was judged by.'),
    action: chosenAction,
    by: person.describe('The person who decides; a key with a reviewer decides in their name.'),
  }),
);

/** What whoever sent a case calls it. */
export const calledItem = z.string().nullable().describe('Your own id of it; null where it came with none.');
export const brokenClauses = z.array(z.string()).describe('The clauses of the policy that it breaks.');

export const feedbackGiven = named(
  'FeedbackGiven',
  z.object({
    case: z.string(),
    item: calledItem,
    label: z.enum(['safe', 'unsafe']),
    verdict: z.string(),
    right: z.boolean().describe('Whether the verdict was right.'),
    clauses: brokenClauses,
    action: z.string().nullable().describe('What is to be done.'),
    proposed: z.string().nullable().describe('What the verdict proposed.'),
    by: z.string(),
    decision: z.string(),
    repeated: z.boolean(),
  }),
);

/** A case near another one: of the same author, or of the same thread. */
const nearbyCase = z.object({
  id: z.string(),
  openedAt: moment,
  excerpt: z.string().nullable(),
  label: z.string().nullable().describe('Null where it is not judged yet, or waits for a person.'),
  action: z.string().nullable().describe('What a person decided on, else what is proposed; null like the label.'),
  decided: z.boolean().describe('By a person.'),
});
export const casesAround = named(
  'CasesAround',
  z
    .object({
      author: z.array(nearbyCase).describe('Earlier cases of the same author, the newest first.'),
      thread: z.array(nearbyCase).describe('Other cases of the same thread, in the order of time.'),
    })
    .describe('Without cases about the same content, and without replays and appeals.'),
);

export const similarQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(20).default(6) });
export const similarCases = named(
  'SimilarCases',
  z.object({
    rows: z.array(
      caseSummary.extend({
        similarity: share,
        picture: z
          .object({ distance: z.int(), of: z.int(), mirrored: z.boolean() })
          .optional()
          .describe('Where it has a copy of a picture of the case: in how many bits of how many the two differ.'),
      }),
    ),
    compared: z.int().describe('How many cases it was compared with.'),
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
