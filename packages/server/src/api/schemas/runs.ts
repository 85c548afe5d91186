import { z } from 'zod';
import { sensitivitySchema } from '@agonhq/engine/policy/sensitivity';
import { flag, id, job, knownJob, moment, named, paging, share, usage, givenName, readJsonText } from './common.ts';

const state = z.enum(['running', 'stopped', 'finished', 'failed', 'cancelled']);

export const runRow = named(
  'Run',
  z.object({
    id: z.string(),
    name: z.string().nullable(),
    job,
    configuration: z.string(),
    state,
    problem: z.string().nullable(),
    total: z.int().nullable().describe('How many items there are, once all have been read.'),
    startedAt: moment,
    endedAt: moment.nullable(),
    live: z.boolean().describe('Whether this server is working on it now.'),
  }),
);
export const runList = named('RunList', z.object({ rows: z.array(runRow), next: z.string().nullable() }));
export const runQuery = z.strictObject({ ...paging, state: state.optional(), job: knownJob.optional() });

const tally = z.record(z.string(), z.int());
const itemUsage = usage.extend({ latencyMs: z.number() });
const itemError = z.object({ code: z.string(), message: z.string(), hint: z.string() });

export const runCounts = named(
  'RunCounts',
  z.object({
    waiting: z.int(),
    running: z.int(),
    done: z.int(),
    failed: z.int(),
    same: z.int().describe('Items with the same content as another, which share its result.'),
    byLabel: tally,
    byGuard: z.int().describe('How many of the judged items the first tier of a cascade decided.'),
    escalated: z.int(),
    failuresByCode: tally,
    usage: itemUsage,
    expected: z
      .object({ right: z.int(), wrong: z.int(), guardRight: z.int(), guardWrong: z.int() })
      .describe('Over judged items that came with a label.'),
    lastEndedAt: moment.nullable(),
    endedLastMinute: z.int(),
  }),
);
const interval = z.tuple([share, share]).nullable();
export const runReport = named(
  'RunReport',
  runRow.extend({
    counts: runCounts,
    plan: z
      .looseObject({ models: z.record(z.string(), z.string()), policy: z.string().nullable() })
      .nullable()
      .describe('What it is judged by: settings, policy and models.'),
    cascade: z
      .looseObject({ decided: z.int(), debated: z.int(), shareDecided: share })
      .nullable()
      .describe('What the first tier did.'),
    failures: z.array(
      z.object({
        code: z.string(),
        items: z.int(),
        examples: z.array(z.object({ line: z.int(), key: z.string(), error: itemError })),
      }),
    ),
    quality: z
      .object({
        items: z.int(),
        accuracy: share,
        precision: share.nullable(),
        recall: share.nullable(),
        f1: share.nullable(),
        confusion: tally,
        intervals: z
          .object({ accuracy: interval, precision: interval, recall: interval, f1: interval })
          .describe('95 %, by Wilson’s score.'),
      })
      .nullable()
      .describe('Over judged items that came with a label.'),
    committed: z
      .object({ tokens: z.number(), usd: z.number() })
      .describe('What has been spent and reserved of its budget.'),
  }),
);

export const renaming = z.preprocess(readJsonText, z.record(z.string().max(100), z.string().max(200)));
/** What is the same of runs and benches that are ordered. */
export const judgedBy = {
  sensitivity: sensitivitySchema
    .optional()
    .describe('How soon the embedded reasoner calls an item unsafe; by default as the server and its policy say.'),
  seats: renaming
    .optional()
    .describe('Models by seat, as JSON: {"arbiter":"openai:gpt-5"}; the others are as the server says.'),
  policy: z.string().max(200).optional().describe('The hash of a policy on record; by default the one in force.'),
};

export const newRun = named(
  'NewRun',
  z.strictObject({
    job: knownJob,
    name: givenName.optional(),
    format: z.enum(['jsonl', 'csv', 'tsv']).optional().describe('By default derived from the file name.'),
    map: renaming.optional().describe('Our field names and what the input calls them, as JSON: {"text":"comment"}.'),
    labels: renaming.optional().describe('The labels of the input and what they mean, as JSON: {"hateful":"unsafe"}.'),
    evaluatedModel: z.string().max(200).optional(),
    concurrency: z.coerce.number().int().min(1).max(100).optional(),
    budgetUsd: z.coerce.number().positive().optional().describe('The budget of the whole run.'),
    method: z.string().max(50).optional().describe('One of the methods of the job; by default as the server says.'),
    ...judgedBy,
  }),
);

export const expected = named('Expected', z.object({ expected: z.number(), low: z.number(), high: z.number() }));
const spend = named(
  'RunSpend',
  z.object({ calls: expected, inputTokens: expected, outputTokens: expected, usd: expected.nullable() }),
);
const spent = { calls: z.number(), inputTokens: z.number(), outputTokens: z.number(), usd: z.number().nullable() };
export const runEstimate = named(
  'RunEstimate',
  z
    .looseObject({
      job,
      input: z.object({ items: z.int(), broken: z.int(), judged: z.number() }),
      sample: z.looseObject({ items: z.int(), failed: tally }),
      perItem: spend,
      run: spend.describe('Of the whole run, with an interval over the sample.'),
      allRounds: spend.nullable().describe('If no debate ends early; null where none can.'),
      atMost: z.object(spent),
      bySeat: z.array(z.looseObject({ seat: z.string(), model: z.string(), ...spent })),
      time: z.looseObject({ seconds: z.number(), bound: z.string() }),
      budget: z
        .looseObject({ usd: z.number().nullable(), covers: z.string(), items: z.number().nullable() })
        .nullable(),
      assumptions: z.array(z.string()),
    })
    .describe('What a run would take, told by a sample of its input. Dollars are null where a price is not known.'),
);

const itemState = z.enum(['waiting', 'running', 'done', 'failed', 'same']);
const itemOutcome = {
  state: itemState,
  result: named(
    'RunItemResult',
    z.object({
      case: z.string(),
      label: z.string(),
      risk: z.number().nullable().describe('Null where the job states none.'),
      escalate: z.boolean(),
      by: z.enum(['debate', 'guard']),
      usage: itemUsage,
    }),
  ).nullable(),
  error: itemError.nullable(),
};
export const runItem = named(
  'RunItem',
  z.object({
    position: z.int(),
    key: z.string(),
    expected: z.string().nullable(),
    excerpt: z.string().nullable().describe('How its content begins; null if it was forgotten, or could not be read.'),
    sameAs: z.int().nullable(),
    attempts: z.int(),
    ...itemOutcome,
    endedAt: moment.nullable(),
    others: z
      .array(z.object(itemOutcome).nullable())
      .describe('What each run of `with` made of the same content; null where it does not have it.'),
  }),
);
export const runItemPage = named(
  'RunItemPage',
  z.object({
    rows: z.array(runItem),
    next: z.string().nullable().describe('Where the next page starts; null at the end.'),
    total: z.int().nullable().describe('How many items match, on the first page.'),
  }),
);

const label = z.string().max(100).optional();
const ids = z
  .string()
  .regex(/^[^,]+(?:,[^,]+){0,2}$/, 'is no list of at most three runs')
  .transform((list) => list.split(','))
  .pipe(z.array(id));
const gridQuery = {
  search: z.string().max(200).optional().describe('Words of the beginning of the content, or of the key.'),
  state: itemState.optional(),
  label: label.describe('The verdict.'),
  expected: label.describe('The true label.'),
  outcome: z.enum(['right', 'wrong']).optional().describe('Whether the verdict is the true label.'),
  escalated: flag.optional(),
  with: ids.optional().describe('Up to three other runs, whose verdicts on the same content stand beside.'),
  changed: z
    .enum(['flipped', 'corrected', 'broken'])
    .optional()
    .describe(
      'What a run of `with` decided: otherwise, rightly where this one was wrong, or wrongly where this one was right.',
    ),
  sort: z
    .enum(['position', 'key', 'label', 'risk', 'cost', 'latency', 'change'])
    .default('position')
    .describe('`change`: by how much the risk of the first run of `with` differs. What has no value comes last.'),
  order: z.enum(['asc', 'desc']).default('asc'),
};
export const runItemQuery = z.strictObject({ ...paging, ...gridQuery });
export const gridExportQuery = z.strictObject({ ...gridQuery, format: z.enum(['jsonl', 'csv']).default('csv') });

export const exportQuery = z.strictObject({
  format: z.enum(['jsonl', 'csv']).default('jsonl'),
  order: z.enum(['input', 'as-done']).default('input'),
  only: z.enum(['done', 'failed']).optional(),
});

export const runEvent = named(
  'RunEvent',
  z
    .object({
      type: z.enum(['progress', 'end']),
      run: z.string(),
      state,
      problem: z.string().nullable(),
      read: z.int().describe('Items read so far.'),
      total: z.int().nullable(),
      done: z.int(),
      failed: z.int(),
      same: z.int(),
      waiting: z.int(),
      running: z.int(),
      byLabel: tally,
      byGuard: z.int(),
      failuresByCode: tally,
      rate: z.number().describe('Items per second.'),
      etaSeconds: z.number().nullable(),
      usage,
    })
    .describe('`progress` at intervals, then `end` with the final state.'),
);
export const runChanged = named(
  'RunChanged',
  z.object({
    id: z.string(),
    state,
    waiting: z.int().describe('Items waiting again (retry), or no longer to be judged (cancel).'),
  }),
);
const difference = z.object({ case: z.string(), label: z.string(), risk: z.number().nullable() });
const runSide = z.object({
  id: z.string(),
  name: z.string().nullable(),
  configuration: z.string(),
  done: z.int(),
  failed: z.int(),
  usage: itemUsage,
});
const mean = z.number().nullable();
export const diffQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(0)
    .max(1000)
    .default(100)
    .describe('The maximum number of flips listed; all are counted.'),
});
export const runDifference = named(
  'RunDifference',
  z
    .object({
      before: runSide,
      after: runSide,
      compared: z.int(),
      same: z.int(),
      flips: tally.describe('`safe → unsafe`: how many.'),
      onlyBefore: z.int(),
      onlyAfter: z.int(),
      otherContent: z.int(),
      failed: z.object({ before: z.int(), after: z.int() }),
      unfinished: z.int(),
      riskChange: mean,
      latencyMs: z.object({ before: mean, after: mean }),
      flipTest: z
        .object({ from: z.string(), to: z.string(), forth: z.int(), back: z.int(), p: share })
        .nullable()
        .describe("McNemar's exact test."),
      labelled: z
        .object({
          items: z.int(),
          rightBefore: z.int(),
          rightAfter: z.int(),
          putRight: z.int(),
          putWrong: z.int(),
          p: share,
        })
        .nullable(),
      flipped: z.array(
        z.object({
          key: z.string(),
          before: difference,
          after: difference,
          expected: z.string().nullable(),
          excerpt: z.string().nullable(),
        }),
      ),
    })
    .describe('What two runs of the same items decided differently.'),
);
