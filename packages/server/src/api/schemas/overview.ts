import { z } from 'zod';
import { askedMoment, knownJob, moment, named, share, offsetMinutes } from './common.ts';
import { agreedShare, agreement, figure, spread } from './figures.ts';

export const overviewQuery = z.strictObject({
  since: askedMoment
    .optional()
    .describe('Start of the period, at most 400 days; by default today and the 29 days before.'),
  until: askedMoment.optional().describe('Now by default.'),
  job: knownJob.optional(),
  offsetMinutes: offsetMinutes.describe('Offset of local time from UTC: days begin at local midnight.'),
});

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
        .describe('The stated risk against what is known to be right: what people decided, and labelled data.'),
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
