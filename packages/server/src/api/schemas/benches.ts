import { z } from 'zod';
import { byId, flag, moment, named, paging, share, placeOf } from './common.ts';
import { figure, spread } from './figures.ts';

/* How systems did on labelled sets. */

const benchState = z.enum(['running', 'done', 'stopped', 'failed']);
export const benchRow = named(
  'Bench',
  z.object({
    id: z.string(),
    name: z.string(),
    state: benchState,
    startedAt: moment,
    endedAt: moment.nullable(),
    judged: z.int(),
    live: z.boolean().describe('Whether this server is working on it now.'),
    sets: z.array(
      z.object({
        job: z.string(),
        title: z.string(),
        items: z.int(),
      }),
    ),
  }),
);
export const benchPage = named('BenchPage', z.object({ rows: z.array(benchRow), next: z.string().nullable() }));

const interval = z.tuple([z.number(), z.number()]).nullable();
export const benchReport = named(
  'BenchReport',
  benchRow
    .extend({
      problem: z.string().nullable().describe('Why it stopped or failed, where this server measured it.'),
      resumable: z.boolean().describe('Whether it stopped, and this server has its data.'),
      progress: z
        .object({
          waiting: z.boolean().describe('Another bench is measured first.'),
          costUsd: figure,
          systems: z.array(
            z.object({
              name: z.string(),
              judged: z.int(),
              failed: z.int(),
              total: z.int().describe('Over all repeats; of documents, documents.'),
            }),
          ),
        })
        .nullable()
        .describe('While this server is working on it.'),
      sets: z.array(
        z.object({
          job: z.string(),
          title: z.string(),
          file: z.string(),
          sha256: z.string(),
          items: z.int().nullable(),
          classes: z.array(z.string()),
          positive: z.string().nullable(),
          notes: z.array(z.string()),
          leads: z.string().nullable().describe('The metric that systems are compared by.'),
          systems: z
            .array(
              z.object({
                name: z.string(),
                kind: z.enum(['debate', 'ablation', 'control', 'baseline', 'external']),
                models: z.array(z.string()),
                of: z.string().nullable(),
                trained: z.string().nullable(),
                metrics: z
                  .record(z.string(), z.object({ value: z.number().nullable(), interval }))
                  .describe(
                    'accuracy, precision, recall, f1, auc, ece …, with their 95 % intervals where there are any.',
                  ),
                confusion: z.array(
                  z.object({
                    gold: z.string(),
                    said: z.string(),
                    items: z.number().describe('With several repeats, the mean.'),
                  }),
                ),
                undecided: z.int(),
                failed: z.int(),
                costUsd: figure,
                latencyMs: spread,
                itemsPerSecond: figure,
                against: z
                  .object({
                    of: z.string(),
                    metric: z.string(),
                    difference: figure,
                    interval,
                    onlyThis: z.int().describe('Items that only this one judged rightly.'),
                    onlyOther: z.int(),
                    p: share.nullable().describe('McNemar’s exact test, after Holm’s correction.'),
                  })
                  .nullable()
                  .describe('By how much it exceeds the first system, on the same items.'),
              }),
            )
            .describe('The first is the baseline of the comparison; empty if the bench has not reached the set yet.'),
        }),
      ),
    })
    .describe('A bench with its figures.'),
);

export const benchQuery = z.strictObject({ ...paging });
export const bySet = z.strictObject({
  ...byId.shape,
  set: placeOf(4, 'is no number').describe('Its number in the bench, from 0.'),
});
const system = z.string().max(200).optional();
const benchGridQuery = {
  only: z
    .enum(['all', 'wrong', 'disputed', 'undecided', 'corrected', 'broken'])
    .default('all')
    .describe(
      '`wrong`: a system erred. `disputed`: systems disagree. `corrected`, `broken`: `against` was right where ' +
        '`system` was wrong, or the other way round.',
    ),
  system: system.describe('The system whose answers count and are sorted by; by default any, and the first.'),
  against: system.describe('The one system that it is held against; by default all others.'),
  category: z.string().max(100).optional(),
  gold: z.string().max(100).optional().describe('The true label.'),
  search: z.string().max(200).optional().describe('Words of the beginning of the content, or of the id.'),
  sort: z
    .enum(['position', 'score', 'cost', 'latency', 'change'])
    .default('position')
    .describe('`change`: by how much the scores of the systems differ. What has no value comes last.'),
  order: z.enum(['asc', 'desc']).default('asc'),
};
export const benchItemQuery = z.strictObject({
  limit: paging.limit,
  after: paging.after,
  ...benchGridQuery,
  turns: flag.default(true).describe('Whether the answers come with their turns.'),
});
export const benchExportQuery = z.strictObject({
  ...benchGridQuery,
  format: z.enum(['jsonl', 'csv']).default('csv'),
});
export const benchItemPage = named(
  'BenchItemPage',
  z.object({
    rows: z.array(
      z.object({
        position: z.int(),
        line: z.int(),
        id: z.string().nullable(),
        gold: z.string().nullable(),
        category: z.string().nullable(),
        excerpt: z.string(),
        outcomes: z.array(
          z.object({
            system: z.string(),
            said: z.string().describe('A class, `undecided` or `failed`; with several repeats, the first.'),
            score: figure,
            right: z.boolean().nullable(),
            costUsd: figure,
            latencyMs: figure,
            rule: z.string().nullable(),
            problem: z.string().nullable(),
            turns: z.array(
              z.looseObject({
                key: z.string(),
                seat: z.string(),
                round: figure,
                statement: z.string(),
                score: figure,
                label: z.string().nullable(),
                quotes: z.array(z.object({ text: z.string(), verified: z.boolean() })),
                fallback: z.string().nullable(),
              }),
            ),
          }),
        ),
      }),
    ),
    next: z.string().nullable(),
    total: z.int(),
    categories: z.array(z.string()).describe('The categories that occur in the set.'),
  }),
);
