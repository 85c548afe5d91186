import type { Insertable } from 'kysely';
import { sha256 } from '@agonhq/engine/hash';
import type { Tables } from '../schema/tables.ts';

/*
 * What of the ledger is entered in its trees: which rows, and which of their columns, since some change all the time.
 */

interface RecordKind<Table extends keyof Tables, Column extends keyof Tables[Table] & string> {
  table: Table;
  /** What it is called in a sentence. */
  name: string;
  /** The column that says what it is about: a case and what belongs to it are forgotten together. */
  record: Column;
  /** Of several rows about one thing, which. */
  part: Column | null;
  columns: readonly Column[];
  /** Columns with long texts, which enter as their hash. */
  long: ReadonlySet<string>;
}

function defineKind<Table extends keyof Tables, Column extends keyof Tables[Table] & string>(
  table: Table,
  {
    part,
    long = [],
    ...kind
  }: { name: string; record: Column; part?: Column; columns: readonly Column[]; long?: readonly Column[] },
): RecordKind<Table, Column> {
  return { table, part: part ?? null, long: new Set(long), ...kind, columns: kind.columns.toSorted() };
}

/**
 * The kinds of records. What a leaf commits to is made from these columns: one that is added to a table later belongs
 * to another version of the leaves.
 */
export const recordKinds = {
  policy: defineKind('policies', {
    name: 'policy',
    record: 'hash',
    columns: ['hash', 'version', 'name', 'policy_version', 'document', 'kept_at'],
    long: ['document'],
  }),
  activation: defineKind('activations', {
    name: 'activation of a policy',
    record: 'position',
    columns: ['position', 'policy', 'activated_by', 'activated_at'],
  }),
  subject: defineKind('subjects', {
    name: 'content',
    record: 'hash',
    columns: ['hash', 'version', 'content'],
    long: ['content'],
  }),
  case: defineKind('debates', {
    name: 'case',
    record: 'id',
    columns: [
      'id',
      'version',
      'job',
      'subject',
      'configuration',
      'settings',
      'policy',
      'run',
      'again_of',
      'again_how',
      'opened_at',
    ],
    long: ['settings'],
  }),
  answer: defineKind('verdicts', {
    name: 'answer',
    record: 'debate',
    columns: [
      'debate',
      'version',
      'label',
      'risk',
      'bar',
      'escalate',
      'rule',
      'categories',
      'degraded',
      'modality',
      'action',
      'severity',
      'answer',
      'seal',
      'closed_at',
    ],
    long: ['answer'],
  }),
  /** Cases of one row each, by the hashes of their rows. */
  batch: defineKind('batches', {
    name: 'batch of cases',
    record: 'id',
    columns: ['id', 'opened_at', 'size', 'root'],
  }),
  decision: defineKind('decisions', {
    name: 'decision',
    record: 'case_id',
    part: 'id',
    columns: ['id', 'version', 'case_id', 'label', 'why', 'clause', 'action', 'decided_by', 'decided_at'],
  }),
  correction: defineKind('corrections', {
    name: 'correction',
    record: 'case_id',
    part: 'id',
    columns: [
      'id',
      'version',
      'case_id',
      'claim',
      'text',
      'verdict',
      'label',
      'why',
      'decided_by',
      'decided_at',
      'withdrawn_at',
      'withdrawn_by',
      'withdrawn_why',
      'matter',
    ],
  }),
  'finding-edit': defineKind('finding_edits', {
    name: 'edit of a finding',
    record: 'case_id',
    part: 'finding',
    columns: ['case_id', 'finding', 'wording', 'note', 'left_out', 'edited_by', 'edited_at'],
  }),
  precedent: defineKind('precedents', {
    name: 'precedent',
    record: 'id',
    columns: ['id', 'version', 'label', 'category', 'state', 'subject', 'precedent', 'hash'],
    long: ['precedent'],
  }),
  audit: defineKind('audit', {
    name: 'line of the audit log',
    record: 'id',
    columns: ['id', 'version', 'at', 'who', 'key', 'operation', 'target', 'what', 'status', 'request'],
  }),
};

export type RecordKindName = keyof typeof recordKinds;
export const recordKindNames = Object.keys(recordKinds) as RecordKindName[];

type RowOf<Kind> =
  Kind extends RecordKind<infer Table, infer Column>
    ? Pick<Insertable<Tables[Table]>, Column & keyof Insertable<Tables[Table]>>
    : never;
/** A row of a kind of record, at least what a leaf commits to. */
export type RecordRow<Name extends RecordKindName> = RowOf<(typeof recordKinds)[Name]>;

/** What people or settings took away, by its name in the tree, and the kinds of records whose content went. */
export const forgettings = {
  /** `forget`, and `prune --what contents`. */
  'contents-forgotten': ['subject', 'answer', 'finding-edit'],
  /** `forget` takes what was said of claims too, and what was learnt. */
  'corrections-forgotten': ['correction'],
  'precedent-forgotten': ['precedent'],
  /** `prune --what cases` and `unfinished`: all that there was of it. */
  removed: recordKindNames,
  /** A row of a batch, named by its hash, was written as the rows of a case. */
  'row-unfolded': [],
  /** What was left of a batch was taken away: `prune --what cases`. */
  'rows-removed': [],
} satisfies Record<string, readonly RecordKindName[]>;

export type ForgettingName = keyof typeof forgettings;
export function isForgetting(name: RecordKindName | ForgettingName): name is ForgettingName {
  return Object.hasOwn(forgettings, name);
}

export const forgettingNames = Object.keys(forgettings) as ForgettingName[];

/** A row as the kinds see them: they differ in their columns only. */
export type AnyRow = Readonly<Record<string, unknown>>;

export function readPlace(name: RecordKindName, row: AnyRow): { record: string; part: string } {
  const { record, part } = recordKinds[name];
  return { record: String(row[record]), part: part === null ? '' : String(row[part]) };
}

/** What a leaf commits to, as canonical JSON. */
export function writeContent(name: RecordKindName, row: AnyRow): string {
  const { columns, long } = recordKinds[name];
  const content: Record<string, unknown> = {};
  for (const column of columns) {
    const value = row[column] ?? null;
    content[column] = typeof value === 'string' && long.has(column) ? sha256(value) : value;
  }
  // Columns stand in their order, and none holds an object: there is nothing to sort.
  return JSON.stringify(content);
}
