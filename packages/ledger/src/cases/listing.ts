import { sql, type Insertable } from 'kysely';
import { z } from 'zod';
import type { Db } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import { toStored, toStorable } from '../database/stored-json.ts';
import { rankCase } from '../reviews/urgency.ts';
import type { Tables } from '../schema/tables.ts';
import type { VerdictMarks } from './verdict-columns.ts';

const longest = 160;

/** Members that hold words of the subject, in the order in which a reader wants them. */
const textMembers = [
  'title',
  'name',
  'text',
  'claim',
  'prompt',
  'response',
  'conversation',
  'messages',
  'content',
  'description',
  'images',
  'documents',
];

/** All that is not a single space already: replacing each of those by itself would take longer than the rest. */
const blanks = /[\s\p{Cc}]{2,}|[^\S ]|\p{Cc}/gu;

/** Where a text has none of these, it has no blanks: it takes a fraction of the time to see. */
const mayHaveBlanks = /[^\x20-\x7e]| {2}/;

/** The first words of what was judged, on one line. */
export function makeExcerpt(content: unknown): string {
  const texts = [...collectTexts(content, 0)].join(' · ');
  const words = (mayHaveBlanks.test(texts) ? texts.replace(blanks, ' ') : texts).trim();
  return toStorable(words.length <= longest ? words : `${words.slice(0, longest - 1).trimEnd()}…`);
}

/**
 * The first words that tools found in a subject that has none of its own: read off an image, or heard. Null where there
 * are none either.
 */
export function makeFoundExcerpt(answer: object): string | null {
  const sources = 'sources' in answer && Array.isArray(answer.sources) ? (answer.sources as unknown[]) : [];
  const words = sources.flatMap((source) => {
    const found = isToolsOwn(source) ? foundWords.safeParse(source).data : undefined;
    return found ? [found.text] : [];
  });
  return words.length === 0 ? null : makeExcerpt(words);
}

/** Few are: asking a schema of every source would take longer. */
const isToolsOwn = (source: unknown): boolean => typeof source === 'object' && source !== null && 'tool' in source;

const foundWords = z.object({ tool: z.enum(['ocr', 'transcript']), text: z.string().regex(/\S/) });

function* collectTexts(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value.slice(0, longest * 4);
  if (value === null || typeof value !== 'object' || depth > 4) return;
  if (Array.isArray(value)) for (const member of value.slice(0, 4)) yield* collectTexts(member, depth + 1);
  else for (const name of textMembers) yield* collectTexts((value as Record<string, unknown>)[name], depth + 1);
}

/**
 * How many numbers hold the pairs of a text: with four, the usual word passes one text in fifty that does not hold
 * it.
 */
const numbers = 4;

const space = 32;

/**
 * Which pairs of neighbouring letters a text holds, as bits of a few numbers. What holds a word holds all its pairs:
 * so most texts are ruled out by a few numbers, and only the rest is read letter by letter.
 */
export function hashLetterPairs(text: string): readonly bigint[] {
  const bits = new BigInt64Array(numbers);
  const parts = new Int32Array(bits.buffer);
  for (let place = 1; place < text.length; place += 1) {
    const left = text.charCodeAt(place - 1);
    const right = text.charCodeAt(place);
    // No word that is looked for has a space in it.
    if (left === space || right === space) continue;
    const bit = Math.imul(Math.imul(left, 0x9e3779b1) + right, 0x85ebca6b) >>> 24;
    parts[bit >> 5]! |= 1 << (bit & 31);
  }
  return [...bits];
}

/* The table that lists of cases are filtered by. Whoever changes what it says writes it in the same transaction. */

export type ListedWords = Pick<Tables['listing'], 'search' | 'pairs_1' | 'pairs_2' | 'pairs_3' | 'pairs_4'>;
export type ListedVerdict = Pick<
  Tables['listing'],
  | 'label'
  | 'escalate'
  | 'degraded'
  | 'modality'
  | 'categories'
  | 'clauses'
  | 'disagreement'
  | 'models'
  | 'risk'
  | 'bar'
  | 'cost_usd'
  | 'latency_ms'
  | 'action'
  | 'severity'
  | 'reviewed'
  | 'urgency'
>;

const noWords: ListedWords = { search: null, pairs_1: null, pairs_2: null, pairs_3: null, pairs_4: null };
const noVerdict: ListedVerdict = {
  label: null,
  escalate: 0,
  degraded: 0,
  modality: null,
  categories: '[]',
  clauses: '[]',
  disagreement: null,
  models: '[]',
  risk: null,
  bar: null,
  cost_usd: null,
  latency_ms: null,
  action: null,
  severity: null,
  reviewed: 0,
  urgency: 0,
};

export type ListedReview = Pick<
  Tables['listing'],
  'decided' | 'stage' | 'queue' | 'due_at' | 'sampled' | 'assigned' | 'language'
>;

/** Where cases wait that no queue takes. */
export const defaultQueue = 'default';
export const never = '9999-12-31T23:59:59.999Z';

const noReview: ListedReview = {
  decided: 0,
  stage: null,
  queue: defaultQueue,
  due_at: never,
  sampled: 0,
  assigned: null,
  language: null,
};

/** How the words of a case are listed, given its excerpt in lower case. */
export function indexWords(search: string | null): ListedWords {
  if (search === null) return noWords;
  const [pairs_1, pairs_2, pairs_3, pairs_4] = hashLetterPairs(search);
  return { search, pairs_1: pairs_1!, pairs_2: pairs_2!, pairs_3: pairs_3!, pairs_4: pairs_4! };
}

type VerdictColumns = Pick<
  Insertable<Tables['verdicts']>,
  'label' | 'escalate' | 'degraded' | 'modality' | 'categories' | 'risk' | 'bar' | 'action' | 'severity'
>;

/** How a verdict is listed. */
export function makeListedVerdict(
  { label, escalate, degraded, categories, ...verdict }: VerdictColumns,
  marks: VerdictMarks,
): ListedVerdict {
  const { modality = null, risk = null, bar = null, action = null, severity = null } = verdict;
  const { disagreement, costUsd, latencyMs, isReviewed } = marks;
  const urgency = rankCase({ label, escalate, degraded, disagreement, risk, bar, severity });
  return {
    label,
    escalate,
    degraded,
    modality,
    categories,
    clauses: toStored(marks.clauses),
    disagreement,
    models: toStored(marks.models),
    risk,
    bar,
    cost_usd: costUsd,
    latency_ms: latencyMs,
    action,
    severity,
    reviewed: Number(isReviewed),
    urgency,
  };
}

type ListedCase = Pick<Tables['listing'], 'opened_at' | 'id' | 'job' | 'run' | 'language' | 'channel' | 'shadow'>;

/** A case that is there already is one that was forgotten, and is here again. */
export async function insertListing(db: Db, row: ListedCase & ListedWords): Promise<void> {
  const { rows } = await relistCase(db, row);
  if (rows.length === 0) await listCase(db, row);
}

const relistCase = fixedQuery(
  (db, { opened_at, id, channel, search, pairs_1, pairs_2, pairs_3, pairs_4 }: ListedCase & ListedWords) =>
    db
      .updateTable('listing')
      .set({ channel, search, pairs_1, pairs_2, pairs_3, pairs_4 })
      .where('opened_at', '=', opened_at)
      .where('id', '=', id)
      .returning('id'),
);

const listCase = fixedQuery(
  (db, { opened_at, id, job, run, language, channel, shadow, ...words }: ListedCase & ListedWords) =>
    db
      .insertInto('listing')
      .values({ ...noReview, ...noVerdict, ...words, opened_at, id, job, run, language, channel, shadow }),
);

export const updateListedVerdict = fixedQuery((db, { id, ...verdict }: { id: string } & ListedVerdict) =>
  db.updateTable('listing').set(verdict).where('id', '=', id).where('opened_at', '=', selectOpening(db, id)),
);

export const updateListedReview = fixedQuery((db, { id, ...review }: { id: string } & ListedReview) =>
  db.updateTable('listing').set(review).where('id', '=', id).where('opened_at', '=', selectOpening(db, id)),
);

/** Without its content nobody can review it; a channel may name the people in it. */
export const clearListedWords = fixedQuery((db, { opened_at, id }: Pick<Tables['listing'], 'opened_at' | 'id'>) =>
  db
    .updateTable('listing')
    .set({ ...noWords, stage: null, channel: null })
    .where('opened_at', '=', opened_at)
    .where('id', '=', id),
);

export const deleteListing = fixedQuery((db, { opened_at, id }: Pick<Tables['listing'], 'opened_at' | 'id'>) =>
  db.deleteFrom('listing').where('opened_at', '=', opened_at).where('id', '=', id),
);

function selectOpening(db: Db, id: string) {
  return sql<string>`(${db.selectFrom('debates').select('opened_at').where('id', '=', id)})`;
}

const sure = 0.5;
// Its word lists take a moment to read: not for who only looks cases up.
let loading: Promise<typeof import('@agonhq/engine/language')> | undefined;

/** The language of the first words of a case; `und` where they show none. */
export async function nameCaseLanguage(excerpt: string | null): Promise<string | null> {
  if (excerpt === null || excerpt === '') return null;
  const { detectLanguage } = await (loading ??= import('@agonhq/engine/language'));
  const { language, confidence } = await detectLanguage(excerpt);
  return confidence >= sure ? language : 'und';
}
