import { z } from 'zod';
import type { JobAnswer, JournalEntry } from '@agonhq/engine/debate';
import { AgonError, type ErrorCode } from '@agonhq/engine/agon-error';
import type { ItemContext } from '@agonhq/engine/items/item-context';
import type { KeptPrecedent } from '@agonhq/models/precedents';
import { queueRulesSchema, type QueueRules } from '../reviews/queue-rules.ts';

/** What is kept as JSON and is known here, by the kind of its row; what others are, their readers know. */
interface Stored {
  context: ItemContext;
  entry: JournalEntry;
  verdict: JobAnswer;
  queue: QueueRules;
  precedent: KeptPrecedent;
  audit: Record<string, unknown>;
}

type StoredKind =
  | keyof Stored
  | 'policy'
  | 'subject'
  | 'debate'
  | 'call'
  | 'correction'
  | 'run'
  | 'run-item'
  | 'bench'
  | 'bench-judgement'
  | 'bench-attachment'
  | 'annotation-item'
  | 'rule'
  | 'finding'
  | 'shadow'
  | 'stream'
  | 'cache'
  | 'team';

type StoredValue<Kind extends StoredKind> = Kind extends keyof Stored ? Stored[Kind] : unknown;

/** The version that is written today, for every kind of row. */
export const storedVersion = 1;

const entry = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('turn'),
    key: z.string(),
    inputHash: z.string(),
    seat: z.string(),
    role: z.string(),
    statement: z.string(),
    evidence: z.array(z.unknown()),
    reasoner: z.string(),
  }),
  z.looseObject({ kind: z.literal('computed'), key: z.string(), inputHash: z.string(), name: z.string() }),
]);

const precedent = z.looseObject({
  id: z.string(),
  label: z.enum(['safe', 'unsafe']),
  category: z.string().nullable(),
  clause: z.string().nullable(),
  summary: z.string(),
  cues: z.array(z.string()),
  why: z.string(),
  text: z.string(),
  policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }).nullable(),
  provenance: z.looseObject({
    kind: z.enum(['seed', 'learnt', 'imported']),
    case: z.string().optional(),
    subject: z.string().optional(),
  }),
  confirmedBy: z.string(),
  state: z.enum(['active', 'proposed', 'retired', 'overruled']),
  overruledBy: z.string().nullable(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
});

/** As far as all answers are alike: its job reads the rest. */
const answer = z.looseObject({ version: z.literal(1), id: z.string(), job: z.string(), seal: z.string() });

/** By kind, what is checked of it. */
const shapes: Readonly<Partial<Record<StoredKind, z.ZodType>>> = {
  context: z.looseObject({}),
  entry,
  verdict: answer,
  queue: queueRulesSchema,
  precedent,
};

export function toStored(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** What was stored, as it was: the schema says whether it is sound, and changes nothing. */
export function fromStored<Kind extends StoredKind>(kind: Kind, version: number, json: string): StoredValue<Kind> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new AgonError(
      'damaged-ledger',
      `A stored ${kind} is not JSON.`,
      'Restore the ledger from an export or a backup.',
      { cause: error },
    );
  }
  const problem = findProblem(kind, version, value);
  if (problem) throw new AgonError(problem.code, `A stored ${kind} cannot be read: ${problem.message}.`, problem.hint);
  return value as StoredValue<Kind>;
}

function findProblem(
  kind: StoredKind,
  version: number,
  value: unknown,
): { code: ErrorCode; message: string; hint: string } | null {
  if (version > storedVersion)
    return {
      code: 'newer-ledger',
      message: `its JSON has version ${version}, this Agon knows ${storedVersion}`,
      hint: 'Update Agon.',
    };
  const error = shapes[kind]?.safeParse(value).error;
  if (!error) return null;
  const [first] = error.issues;
  return {
    code: 'damaged-ledger',
    message: `${first!.path.join('.') || 'it'}: ${first!.message}`,
    hint: 'Restore the ledger from an export or a backup.',
  };
}

/**
 * A text that both databases can keep: PostgreSQL has no NUL, neither has lone surrogates. JSON escapes both by
 * itself.
 */
export function toStorable<Text extends string | null>(text: Text): Text {
  return (text === null ? null : text.toWellFormed().replaceAll('\0', '\uFFFD')) as Text;
}

export function readMoment(stored: string | null): Date | null {
  return stored === null ? null : new Date(stored);
}
