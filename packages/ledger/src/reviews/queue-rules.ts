import { z } from 'zod';
import { sha256 } from '@agonhq/engine/hash';
import { severities } from '@agonhq/engine/policy/known-actions';

/* Which cases a queue of reviewers takes: as data, so that people make queues without a release. */

const words = z.array(z.string().trim().min(1).max(200)).min(1);
const share = z.number().min(0).max(1);

/** All that are given must hold; of a list, one. Without any, every case meets them. */
export const queueRulesSchema = z
  .strictObject({
    job: z.string().min(1).max(100).optional().describe('The id of a job.'),
    clauses: words
      .max(100)
      .optional()
      .describe('Clauses or whole categories that the verdict names: `fraud.scams`, `fraud`.'),
    severities: z.array(z.enum(severities)).min(1).max(4).optional().describe('Of the gravest clause that it names.'),
    risk: z
      .strictObject({ from: share, to: share })
      .refine(({ from, to }) => from <= to, 'ends before it begins')
      .optional()
      .describe('The band in which the stated risk lies, both ends included.'),
    languages: words
      .max(50)
      .optional()
      .describe('Language tags: `pt` takes `pt-BR` too. What the context says; where it says nothing, what was found.'),
    channels: words.max(100).optional().describe('`context.channel` of the item.'),
    runs: words.max(100).optional().describe('Runs by id or by name.'),
    sample: share
      .optional()
      .describe(
        'Makes it a quality sample: it takes this share of the cases that the machine was sure of, and no others. ' +
          'Which ones follows from their ids.',
      ),
  })
  .describe('Which cases a queue takes.');

export type QueueRules = z.infer<typeof queueRulesSchema>;

/** What is known of a case that rules ask for. */
export interface QueueFacts {
  id: string;
  job: string;
  categories: readonly string[];
  severity: string | null;
  risk: number | null;
  language: string | null;
  channel: string | null;
  /** Its id and its name; nothing where it was judged by itself. */
  run: readonly string[];
  /** Whether the machine asks for a person. */
  unsure: boolean;
}

/**
 * The first queue that takes a case; undefined where none does. What the machine is sure of goes into a sample that
 * draws it, wherever the sample stands: nobody would look at it otherwise.
 */
export function findQueue<Queue extends { rules: QueueRules }>(
  queues: readonly Queue[],
  facts: QueueFacts,
): Queue | undefined {
  const takes = ({ rules }: Queue) => meetsRules(rules, facts);
  const isSample = ({ rules }: Queue) => rules.sample !== undefined;
  const drawn = facts.unsure ? undefined : queues.find((queue) => isSample(queue) && takes(queue));
  return drawn ?? queues.find((queue) => !isSample(queue) && takes(queue));
}

/** Whether a sample may draw a case, whatever else it asks for. */
export function mayBeDrawn(queues: readonly { rules: QueueRules }[], id: string): boolean {
  return queues.some(({ rules: { sample } }) => sample !== undefined && isDrawn(id, sample));
}

function meetsRules(rules: QueueRules, facts: QueueFacts): boolean {
  const { job, clauses, severities: grave, risk, languages, channels, runs, sample } = rules;
  return (
    (job === undefined || job === facts.job) &&
    (clauses === undefined || clauses.some((clause) => facts.categories.some((one) => isWithin(one, clause, '.')))) &&
    (grave === undefined || grave.some((one) => one === facts.severity)) &&
    (risk === undefined || (facts.risk !== null && facts.risk >= risk.from && facts.risk <= risk.to)) &&
    (languages === undefined ||
      languages.some((tag) => isWithin(facts.language?.toLowerCase(), tag.toLowerCase(), '-'))) &&
    (channels === undefined || (facts.channel !== null && channels.includes(facts.channel))) &&
    (runs === undefined || runs.some((run) => facts.run.includes(run))) &&
    (sample === undefined || isDrawn(facts.id, sample))
  );
}

/** `fraud.scams` is within `fraud`, `pt-br` within `pt`. */
function isWithin(one: string | undefined, whole: string, separator: string): boolean {
  return one !== undefined && (one === whole || one.startsWith(`${whole}${separator}`));
}

/** The same cases on every machine, and of a larger share those of a smaller one too. */
function isDrawn(id: string, part: number): boolean {
  return parseInt(sha256(id).slice(7, 19), 16) / 2 ** 48 < part;
}
