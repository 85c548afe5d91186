import { z } from 'zod';
import { keptContextSchema } from '@agonhq/engine/items/item-context';
import { brokenClauses, calledItem, casesAround, chosenAction } from './cases.ts';
import { flag, id, job, knownJob, moment, named, paging, safetyLabel, share, person } from './common.ts';

export const queueStage = z
  .enum(['first', 'second', 'dispute'])
  .describe(
    '`first`: nobody has decided. `second`: one has, and another must. `dispute`: they disagree, and a third ' +
      'settles it.',
  );
const queueReason = z.enum([
  'undecided',
  'escalated',
  'degraded',
  'disagreement',
  'near-threshold',
  'second-review',
  'reviewers-disagree',
  'appealed',
  'sampled',
]);

export const queueRow = named(
  'QueueRow',
  z
    .object({
      id: z.string().describe('The case.'),
      job,
      stage: queueStage,
      urgency: share.describe('How unsure the verdict is, to 1. What may be grave waits ahead of it.'),
      why: z.array(queueReason).describe('Why it is here; never the verdict.'),
      openedAt: moment,
      modality: z.string().nullable(),
      excerpt: z.string().nullable(),
      heldBy: z.string().nullable().describe('Who is looking at it now, other than you.'),
      queue: z.string().describe('The queue it waits in: one of `GET /api/queues`.'),
      dueAt: moment.nullable().describe('By when it should be decided; null for no time.'),
      assigned: z.string().nullable().describe('Who is to decide it; null for whoever takes it.'),
    })
    .describe('A case waiting for a person. Blind: it does not show the verdict.'),
);

export const queueQuery = z.strictObject({
  ...paging,
  stage: queueStage.optional(),
  job: knownJob.optional(),
  queue: id.optional().describe('Only what waits in this queue; `default` for what no queue takes.'),
  assigned: z
    .enum(['me', 'nobody'])
    .optional()
    .describe('Only what you are to decide, or what nobody in particular is.'),
  overdue: flag.optional().describe('`true`: only what should have been decided by now.'),
  sort: z.enum(['urgency', 'due']).default('urgency').describe('The most urgent first, or what is due first.'),
  by: person.describe('The reviewer, unless the key names one; cases they have already decided are left out.'),
});
export const queuePage = named(
  'QueuePage',
  z.object({
    rows: z.array(queueRow),
    next: z.string().nullable(),
    counts: z
      .object({ first: z.int(), second: z.int(), dispute: z.int() })
      .describe('How many cases are waiting for you, by stage.'),
  }),
);

export const reviewerNamed = z.strictObject({
  by: z.string().trim().min(1).max(200).optional().describe('The reviewer, unless the key names one.'),
});

export const queueItem = named(
  'QueueItem',
  queueRow
    .extend({
      content: z.unknown().describe('The content to judge, as it was submitted.'),
      sources: z
        .array(z.looseObject({ id: z.string(), text: z.string() }))
        .describe('Its texts, and what tools extracted from it.'),
      attachments: z.array(z.object({ hash: z.string(), mediaType: z.string(), bytes: z.int() })),
      images: z
        .array(
          z.object({
            id: z.string(),
            hash: z.string().nullable().describe('Null where only a description was given.'),
            frame: z
              .object({ of: z.string(), second: z.number() })
              .optional()
              .describe('Of a frame: its film, and when it is shown.'),
          }),
        )
        .describe('Its images and the frames of its films, by the ids that `sources` name.'),
      recordings: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['audio', 'video']),
          hash: z.string(),
          mediaType: z.string(),
          seconds: z.number(),
        }),
      ),
      policy: z.object({
        name: z.string(),
        version: z.string(),
        hash: z.string(),
        clauses: z.array(
          z.object({
            id: z.string(),
            category: z.string(),
            title: z.string(),
            text: z.string(),
            severity: z.string(),
            action: z.string().describe('What the policy asks for where it is broken.'),
          }),
        ),
        actions: z
          .array(z.object({ id: z.string(), text: z.string(), own: z.boolean() }))
          .describe('What can be decided on, and what the notice says of it.'),
      }),
      context: keptContextSchema.nullable().describe('What is known about it beside what it says.'),
      around: casesAround,
      earlier: z
        .array(
          z.object({
            by: z.string(),
            label: z.enum(['safe', 'unsafe']),
            why: z.string().nullable(),
            clause: z.string().nullable(),
            action: z.string().nullable(),
            at: moment,
          }),
        )
        .describe('The reviewers’ decisions: only in a dispute, since a second review is independent.'),
      heldUntil: moment,
    })
    .describe('A case to decide, without the machine’s verdict.'),
);

export const queueDecision = named(
  'QueueDecision',
  z.strictObject({
    label: z.enum(['safe', 'unsafe']),
    why: z.string().trim().min(1).max(5000),
    clause: z.string().max(200).optional().describe('A clause of the policy that it was judged by.'),
    action: chosenAction,
    by: z.string().trim().min(1).max(200).optional().describe('The person who decides, unless the key names one.'),
  }),
);
export const queueDecided = named(
  'QueueDecided',
  z.object({
    case: z.string(),
    item: calledItem,
    decision: z.string(),
    label: z.enum(['safe', 'unsafe']),
    verdict: safetyLabel.describe('The machine’s verdict.'),
    right: z.boolean(),
    clauses: brokenClauses,
    action: z.string().nullable().describe('What is to be done.'),
    proposed: z.string().nullable().describe('What the verdict proposed.'),
    by: z.string(),
    stage: z.enum(['first', 'second', 'dispute', 'done']).describe('Where the case stands now.'),
    machine: z
      .object({
        label: safetyLabel,
        risk: share.nullable().describe('How likely it is to be unsafe.'),
        bar: share.nullable().describe('The risk from which it is unsafe.'),
        disagreement: share.nullable(),
        categories: z.array(z.string()),
        action: z.string().nullable(),
        severity: z.string().nullable(),
        rule: z.object({ id: z.string(), why: z.string() }).nullable(),
        sides: z
          .array(z.object({ role: z.string(), risk: share }))
          .describe('How risky the two sides found it in the end.'),
      })
      .describe('The machine’s opinion, revealed after your decision.'),
  }),
);
