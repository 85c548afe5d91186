import { z } from 'zod';
import { candidateSchema, findingSchema, watchGroups, watchRuleSchema } from '@agonhq/ledger/watching/watched';
import { askedMoment, flag, knownJob, moment, named, pageOf, paging, offsetMinutes } from './common.ts';
import { figure } from './figures.ts';

/* What is watched over time, when somebody is told, and what is judged in the shadow of what is in force. */

export const watchSteps = ['hour', 'day', 'week'] as const;

export const watchQuery = z.strictObject({
  since: askedMoment.optional().describe('Start of the period, at most 400 steps; by default the last 30 steps.'),
  until: askedMoment.optional().describe('Now by default.'),
  step: z.enum(watchSteps).default('day'),
  job: knownJob.optional(),
  by: z.enum(watchGroups).optional().describe('What cases are told apart by.'),
  value: z.string().max(256).optional().describe('Only this group; empty for cases that say nothing.'),
  offsetMinutes: offsetMinutes.describe('Offset of local time from UTC: days and weeks begin at local midnight.'),
});

const counts = {
  cases: z.int(),
  flagged: z.int().describe('Verdicts of `unsafe`.'),
  undecided: z.int(),
  escalated: z.int(),
  degraded: z.int(),
  decided: z.int().describe('By a person.'),
  overridden: z.int().describe('Of those, where the person said something else than the verdict.'),
  costUsd: figure.describe('In all; null where no price is known.'),
  latencyMs: figure.describe('The mean.'),
  risk: figure.describe('The mean of the stated risk.'),
  tenths: z.array(z.int()).describe('Cases by tenths of the risk.'),
};
const point = named('WatchCounts', z.object(counts));
const series = named(
  'WatchSeries',
  z.object({ value: z.string(), ...counts, points: z.array(point).describe('One for each step.') }),
);

export const watchReport = named(
  'WatchReport',
  z.object({
    since: moment,
    until: moment,
    steps: z.array(z.object({ from: moment, to: moment })),
    whole: series,
    groups: z.array(series).describe('Those with the most cases first.'),
    others: z.int().describe('Groups that are left out, because they have fewer cases.'),
  }),
);

export const newWatchRule = named('NewWatchRule', watchRuleSchema.extend({ job: knownJob.nullable().default(null) }));
export const watchRule = named(
  'WatchRule',
  z.object({
    id: z.string(),
    ...watchRuleSchema.shape,
    createdBy: z.string().nullable(),
    createdAt: moment,
    checkedAt: moment.nullable().describe('When it was last looked at.'),
  }),
);
export const watchRuleList = named('WatchRuleList', z.object({ rows: z.array(watchRule) }));

export const alert = named(
  'Alert',
  z.object({
    id: z.string(),
    rule: watchRule,
    value: z.string().describe('The group that it is about; empty for all cases, or for those that say nothing.'),
    ...findingSchema.shape,
    raisedAt: moment,
    endedAt: moment.nullable().describe('Null while it stands.'),
    acknowledgedBy: z.string().nullable(),
    acknowledgedAt: moment.nullable(),
    note: z.string().nullable(),
  }),
);
export const alertPage = pageOf('AlertPage', alert);
export const alertQuery = z.strictObject({
  ...paging,
  standing: flag.optional().describe('Only those that stand, or that ended.'),
});
export const acknowledgement = named(
  'Acknowledgement',
  z.strictObject({ note: z.string().trim().max(1000).optional() }),
);
export const watchCheck = named(
  'WatchCheck',
  z.object({ rules: z.int(), raised: z.array(alert), ended: z.array(alert), standing: z.array(alert) }),
);

export const newShadow = named('NewShadow', candidateSchema.extend({ job: knownJob }));
const shadowRow = {
  id: z.string(),
  ...candidateSchema.shape,
  createdBy: z.string().nullable(),
  startedAt: moment,
  endedAt: moment.nullable(),
  why: z.string().nullable().describe('Why it ended.'),
  dropped: z.int().describe('Cases that were left out because it was behind.'),
  failed: z.int(),
  spentUsd: z.number(),
};
export const shadow = named('Shadow', z.object(shadowRow));
export const shadowList = named('ShadowList', z.object({ rows: z.array(shadow) }));
const interval = z.tuple([z.number(), z.number()]).nullable().describe('At 95 %.');
const difference = named(
  'ShadowDifference',
  z.object({
    pairs: z.int().describe('Cases of which it is known for both.'),
    inForce: figure.describe('The mean.'),
    candidate: figure,
    difference: figure.describe('Candidate less in force.'),
    interval,
  }),
);
export const shadowReport = named(
  'ShadowReport',
  z.object({
    ...shadowRow,
    pairs: z.int(),
    agreement: figure.describe('The share of cases with the same label.'),
    interval,
    kappa: figure.describe("Cohen's κ."),
    labels: z.array(z.object({ inForce: z.string(), candidate: z.string(), cases: z.int() })),
    costUsd: difference,
    latencyMs: difference,
    decided: z
      .object({ cases: z.int(), inForce: z.int(), candidate: z.int() })
      .describe('Cases that a person decided, and how often each said the same.'),
  }),
);
const said = z.object({ label: z.string(), risk: figure });
export const shadowPairPage = pageOf(
  'ShadowPairPage',
  z.object({
    case: z.string(),
    shadowCase: z.string(),
    excerpt: z.string().nullable(),
    inForce: said,
    candidate: said,
    judgedAt: moment,
  }),
);
export const shadowPairQuery = z.strictObject({
  ...paging,
  differing: flag.optional().describe('Only cases on which the two differ.'),
  inForce: z.string().max(50).optional(),
  candidate: z.string().max(50).optional(),
});
