import { z } from 'zod';
import { keptContextSchema } from '../../item-context.ts';
import { caseSummary, casesAround, chosenAction } from './cases.ts';
import { flag, id, job, knownJob, moment, named, paging, safetyLabel, share } from './common.ts';

/* What the console asks for beyond what programs need: figures, the queue of reviewers, benches, a session. */

export const signIn = named(
  'SignIn',
  z.strictObject({ key: z.string().trim().min(1).max(500).describe('An API key of this server.') }),
);

export const signInWays = named(
  'SignInWays',
  z.object({
    openid: z
      .object({ name: z.string(), path: z.string().describe('Where a browser goes to sign in.') })
      .nullable()
      .describe('The OpenID provider that signs people in; null where there is none.'),
  }),
);

/* The overview. */

export const overviewQuery = z.strictObject({
  since: moment.optional().describe('Start of the period, at most 400 days; by default today and the 29 days before.'),
  until: moment.optional().describe('Now by default.'),
  job: knownJob.optional(),
  offsetMinutes: z.coerce
    .number()
    .int()
    .min(-840)
    .max(840)
    .default(0)
    .describe('Offset of local time from UTC: days begin at local midnight.'),
});

export const figure = z.number().nullable();
export const spread = z.object({ p50: figure, p95: figure }).describe('Null where nothing was measured.');

export const agreement = named(
  'Agreement',
  z.object({
    items: z.int().describe('Items judged by two or more people.'),
    raters: z.array(z.string()),
    percent: share.nullable().describe('The share of pairs that agree.'),
    kappa: z.number().nullable().describe("Cohen's κ of two raters; of more, the mean over their pairs."),
    alpha: z.number().nullable().describe("Krippendorff's α."),
    pairs: z.array(
      z.object({
        between: z.tuple([z.string(), z.string()]),
        items: z.int(),
        percent: share.nullable(),
        kappa: z.number().nullable(),
      }),
    ),
  }),
);

export const agreedShare = named(
  'AgreedShare',
  z.object({
    of: z.int(),
    agreed: z.int(),
    interval: z.tuple([share, share]).nullable().describe('Of the share that agreed: 95 %, by Wilson.'),
  }),
);

export const overview = named(
  'Overview',
  z
    .object({
      since: moment,
      until: moment,
      totals: z.object({
        cases: z.int(),
        byLabel: z.record(z.string(), z.int()),
        escalated: z.int(),
        degraded: z.int(),
        undecided: z.int(),
        costUsd: figure.describe('Null where no price is known.'),
        latencyMs: spread,
        disagreement: figure.describe('The mean.'),
        decided: z.int().describe('By a person.'),
        overturned: z.int().describe('Decisions that differ from the verdict.'),
      }),
      days: z
        .array(
          z.object({
            day: z.iso.date().describe('The local day.'),
            cases: z.int(),
            byLabel: z.record(z.string(), z.int()),
            escalated: z.int(),
            disagreement: figure,
            costUsd: figure,
            latencyMs: spread,
            decided: z.int(),
            overturned: z.int(),
          }),
        )
        .describe('Every day of the period, including days without a case.'),
      actions: z
        .array(
          z.object({
            id: z.string(),
            proposed: z.int().describe('Cases for which the verdict proposes it.'),
            decided: z.int().describe('Cases for which a person decided on it.'),
            changed: z.int().describe('Of those, where the verdict had proposed something else.'),
          }),
        )
        .describe('What is to be done: the most frequent first.'),
      disagreement: z.array(z.object({ from: share, to: share, cases: z.int() })).describe('Ten steps.'),
      calibration: z
        .object({
          bins: z.array(
            z.object({
              from: share,
              to: share,
              items: z.int(),
              predicted: figure.describe('The mean stated probability.'),
              unsafe: figure.describe('The share that people decided is unsafe.'),
              interval: z.tuple([share, share]).nullable(),
            }),
          ),
          items: z.int(),
          ece: figure.describe('The expected calibration error.'),
        })
        .describe(
          'What was said (the probability, else the score) against what is known to be right: what people ' +
            'decided, and labelled data.',
        ),
      categories: z.array(z.object({ id: z.string(), cases: z.int() })).describe('The most frequent first.'),
      models: z.array(
        z.object({
          id: z.string(),
          cases: z.int(),
          costUsd: figure.describe('The cost of the cases in which it took a seat.'),
        }),
      ),
      reviewers: agreement,
      byReviewer: z
        .array(
          z.object({
            by: z.string(),
            decisions: z.int().describe('Cases that they decided.'),
            machine: agreedShare.describe('With the verdict, where it decided something.'),
            others: agreedShare.describe('With each other person who decided the same case.'),
            samples: agreedShare.describe('With the verdict, on quality samples of what the machine was sure of.'),
          }),
        )
        .describe('How each person’s decisions agree: who decided most comes first.'),
      queue: z.object({ first: z.int(), second: z.int(), dispute: z.int() }),
    })
    .describe('Figures over a period.'),
);

/* The queue. */

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
  'low-confidence',
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
      urgency: share.describe('1 is the most urgent.'),
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
  by: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The reviewer, unless the key names one; cases they have already decided are left out.'),
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
    decision: z.string(),
    label: z.enum(['safe', 'unsafe']),
    verdict: safetyLabel.describe('The machine’s verdict.'),
    right: z.boolean(),
    action: z.string().nullable().describe('What is to be done.'),
    proposed: z.string().nullable().describe('What the verdict proposed.'),
    by: z.string(),
    stage: z.enum(['first', 'second', 'dispute', 'done']).describe('Where the case stands now.'),
    machine: z
      .object({
        label: safetyLabel,
        risk: share.nullable().describe('How likely it is to be unsafe.'),
        bar: share.nullable().describe('The risk from which it is unsafe.'),
        score: share.nullable().describe('Deprecated: the risk with its bar at 0.5.'),
        probability: share.nullable().describe('Deprecated: the risk, where the configuration is calibrated.'),
        confidence: share.nullable().describe('Deprecated: how sure the judge says it is of its label.'),
        disagreement: share.nullable(),
        categories: z.array(z.string()),
        action: z.string().nullable(),
        severity: z.string().nullable(),
        rule: z.object({ id: z.string(), why: z.string() }).nullable(),
        sides: z
          .array(z.object({ role: z.string(), risk: share, score: share }))
          .describe('How risky the two sides found it in the end.'),
      })
      .describe('The machine’s opinion, revealed after your decision.'),
  }),
);

/* Cases that are alike. */

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
