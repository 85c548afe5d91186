import { z } from 'zod';
import { job, moment, named, pageOf, paging } from './common.ts';

const state = z.enum(['running', 'stopped', 'finished', 'failed', 'cancelled']);

export const runRow = named('Run', z.object({
  id: z.string(), name: z.string().nullable(), job, configuration: z.string(), state, problem: z.string().nullable(), total: z.int().nullable().describe('How many items there are, once all have been read.'),
  startedAt: moment, endedAt: moment.nullable(), live: z.boolean().describe('This server works on it at this moment.'),
}));
export const runList = named('RunList', z.object({ rows: z.array(runRow), next: z.string().nullable() }));
export const runQuery = z.strictObject({ ...paging, state: state.optional(), job: job.optional() });

export const runReport = named('RunReport', runRow.extend({ counts: z.looseObject({ waiting: z.int(), running: z.int(), done: z.int(), failed: z.int(), same: z.int(), byLabel: z.record(z.string(), z.int()) }), quality: z.unknown(), cascade: z.unknown(), failures: z.array(z.unknown()), plan: z.unknown(), committed: z.object({ tokens: z.number(), usd: z.number() }) }));

const renaming = z.preprocess((value) => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}, z.record(z.string().max(100), z.string().max(200)));

export const newRun = named('NewRun', z.strictObject({
  job,
  name: z.string().trim().min(1).max(100).regex(/^(?!-)\P{C}+$/u).optional(),
  format: z.enum(['jsonl', 'csv', 'tsv']).optional().describe('By default as the name of the file says.'),
  map: renaming.optional().describe('Our field names and what the input calls them, as JSON: {"text":"comment"}.'),
  labels: renaming.optional().describe('The labels of the input and what they mean, as JSON: {"hateful":"unsafe"}.'),
  evaluatedModel: z.string().max(200).optional(),
  concurrency: z.coerce.number().int().min(1).max(100).optional(),
  budgetUsd: z.coerce.number().positive().optional().describe('What the whole run may cost.'),
}));

export const runItem = named('RunItem', z.object({
  position: z.int(), key: z.string(), state: z.enum(['waiting', 'running', 'done', 'failed', 'same']), expected: z.string().nullable(), sameAs: z.int().nullable(), attempts: z.int(),
  result: z.looseObject({ case: z.string(), label: z.string(), score: z.number().nullable(), escalate: z.boolean() }).nullable(),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }).nullable(), endedAt: moment.nullable(),
}));
export const runItemPage = pageOf('RunItemPage', runItem);
export const runItemQuery = z.strictObject({ ...paging, state: z.enum(['waiting', 'running', 'done', 'failed', 'same']).optional() });

export const exportQuery = z.strictObject({ format: z.enum(['jsonl', 'csv']).default('jsonl'), order: z.enum(['input', 'as-done']).default('input'), only: z.enum(['done', 'failed']).optional() });

export const runEvent = named('RunEvent', z.looseObject({ type: z.enum(['progress', 'end']) }).describe('`progress` now and then, `end` with the final state.'));
export const runChanged = named('RunChanged', z.object({ id: z.string(), state, waiting: z.int().describe('Items that wait (retry), or will not be judged (cancel).') }));
export const runDifference = named('RunDifference', z.looseObject({}).describe('What two runs of the same items decided differently.'));
