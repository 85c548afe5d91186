import { z } from 'zod';
import { queueRulesSchema } from '@agonhq/ledger/reviews/queue-rules';
import { chosenAction } from './cases.ts';
import { id, knownJob, moment, named, share } from './common.ts';
import { agreedShare } from './figures.ts';
import { queueDecided, queueRow, queueStage, reviewerNamed } from './review-queue.ts';

/* The queues that cases wait in, who takes which, and decisions on alike ones. */

const name = z.string().trim().min(1).max(100);
const assignees = z.array(z.string().trim().min(1).max(200)).max(200);
const dueMinutes = z.int().min(1).max(525_600);
const queueRules = named('QueueRules', queueRulesSchema.extend({ job: knownJob.optional() }));

export const newQueue = named(
  'NewQueue',
  z.strictObject({
    name,
    rules: queueRules.default({}),
    dueMinutes: dueMinutes.nullable().default(null).describe('By when: so long after a case began to wait.'),
    assignees: assignees.default([]).describe('Whose work it is; where nobody is named, everybody’s.'),
  }),
);

export const queueChange = named(
  'QueueChange',
  z.strictObject({
    name: name.optional(),
    rules: queueRules.optional(),
    dueMinutes: dueMinutes.nullable().optional(),
    assignees: assignees.optional(),
    position: z.int().min(0).max(10_000).optional().describe('Its place in the order, from 0.'),
  }),
);

export const queueSummary = named(
  'Queue',
  z.object({
    id: z.string(),
    name: z.string(),
    rules: named('KeptQueueRules', queueRulesSchema),
    dueMinutes: z.int().nullable(),
    assignees: z.array(z.string()),
    createdAt: moment.nullable().describe('Null for the default queue.'),
    waiting: z.object({ first: z.int(), second: z.int(), dispute: z.int() }),
    overdue: z.int(),
    unassigned: z.int(),
    nextDue: moment.nullable(),
    quality: agreedShare
      .nullable()
      .describe('Of a quality sample: how often people agreed with the machine in the end.'),
  }),
);

export const queueList = named(
  'QueueList',
  z.object({
    rows: z.array(queueSummary).describe('In the order in which cases are held against them; the default one last.'),
  }),
);

export const nextQuery = named(
  'NextCase',
  reviewerNamed.extend({
    stage: queueStage.optional(),
    queue: id.optional().describe('By default those that are everybody’s, and yours.'),
    sort: z.enum(['urgency', 'due']).default('urgency'),
    except: z.array(id).max(2000).default([]).describe('Cases that you do not want now.'),
  }),
);
export const nextCase = named(
  'TakenCase',
  z.object({ case: queueRow.nullable().describe('It is held for you; null where nothing is left.') }),
);

export const assignment = named(
  'Assignment',
  z.strictObject({ to: z.string().trim().min(1).max(200).nullable().describe('Null for whoever takes it.') }),
);

export const alikeCases = named(
  'AlikeCases',
  z.object({
    rows: z.array(queueRow.extend({ similarity: share })).describe('The most alike first.'),
    compared: z.int().describe('How many cases of the queue it was compared with.'),
  }),
);

export const manyDecisions = named(
  'ManyDecisions',
  z.strictObject({
    cases: z.array(id).min(1).max(200),
    label: z.enum(['safe', 'unsafe']),
    why: z.string().trim().min(1).max(5000),
    clause: z.string().max(200).optional().describe('A clause of the policy that they were judged by.'),
    action: chosenAction,
    by: z.string().trim().min(1).max(200).optional().describe('The person who decides, unless the key names one.'),
  }),
);
export const manyDecided = named(
  'ManyDecided',
  z.object({
    rows: z.array(
      z.object({
        case: z.string(),
        decided: queueDecided.omit({ machine: true }).nullable().describe('Null where it was refused.'),
        problem: z
          .object({ code: z.string(), detail: z.string() })
          .nullable()
          .describe('Why not: somebody decided it meanwhile, or its policy has no such clause.'),
      }),
    ),
    recorded: z.int(),
  }),
);
