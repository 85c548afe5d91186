import { sql, type Insertable } from 'kysely';
import type { JobAnswer } from '../../jobs/index.ts';
import type { Db } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import { toStored } from '../database/stored-json.ts';
import { measureUrgency } from '../reviews/urgency.ts';
import type { Listing, Verdicts } from '../tables/tables.ts';
import { hashLetterPairs } from './index-text.ts';
import { readVerdictMarks, type VerdictMarks } from './verdict-columns.ts';

/* The table that lists of cases are filtered by. Whoever changes what it says writes it in the same transaction. */

export type ListedWords = Pick<Listing, 'search' | 'pairs_1' | 'pairs_2' | 'pairs_3' | 'pairs_4'>;
export type ListedVerdict = Pick<
  Listing,
  | 'label'
  | 'escalate'
  | 'degraded'
  | 'modality'
  | 'categories'
  | 'confidence'
  | 'disagreement'
  | 'models'
  | 'score'
  | 'probability'
  | 'cost_usd'
  | 'latency_ms'
  | 'urgency'
>;

const noWords: ListedWords = { search: null, pairs_1: null, pairs_2: null, pairs_3: null, pairs_4: null };
const noVerdict: ListedVerdict = {
  label: null,
  escalate: 0,
  degraded: 0,
  modality: null,
  categories: '[]',
  confidence: null,
  disagreement: null,
  models: '[]',
  score: null,
  probability: null,
  cost_usd: null,
  latency_ms: null,
  urgency: 0,
};

/** How the words of a case are listed, given its excerpt in lower case. */
export function indexWords(search: string | null): ListedWords {
  if (search === null) return noWords;
  const [pairs_1, pairs_2, pairs_3, pairs_4] = hashLetterPairs(search);
  return { search, pairs_1: pairs_1!, pairs_2: pairs_2!, pairs_3: pairs_3!, pairs_4: pairs_4! };
}

type VerdictColumns = Pick<
  Insertable<Verdicts>,
  'label' | 'escalate' | 'degraded' | 'modality' | 'categories' | 'score' | 'probability'
>;

/** How a verdict is listed. */
export function makeListedVerdict(
  { label, escalate, degraded, modality = null, categories, score = null, probability = null }: VerdictColumns,
  marks: VerdictMarks,
): ListedVerdict {
  const { confidence, disagreement, costUsd, latencyMs } = marks;
  const urgency = measureUrgency({ label, escalate, degraded, confidence, disagreement, score });
  return {
    label,
    escalate,
    degraded,
    modality,
    categories,
    confidence,
    disagreement,
    models: toStored(marks.models),
    score,
    probability,
    cost_usd: costUsd,
    latency_ms: latencyMs,
    urgency,
  };
}

export const noMarks: VerdictMarks = {
  confidence: null,
  disagreement: null,
  models: [],
  costUsd: null,
  latencyMs: null,
};

/** The same of a stored answer, if it can be read. */
export function readStoredMarks(answer: string | null): VerdictMarks {
  if (answer === null) return noMarks;
  try {
    return readVerdictMarks(JSON.parse(answer) as JobAnswer);
  } catch {
    return noMarks;
  }
}

/** A case that is there already is one that was forgotten, and is here again. */
export const insertListing = fixedQuery(
  (db, { opened_at, id, job, run, ...words }: Pick<Listing, 'opened_at' | 'id' | 'job' | 'run'> & ListedWords) =>
    db
      .insertInto('listing')
      .values({ opened_at, id, job, run, decided: 0, stage: null, ...noVerdict, ...words })
      .onConflict((conflict) =>
        conflict.columns(['opened_at', 'id']).doUpdateSet(({ ref }) => ({
          search: ref('excluded.search'),
          pairs_1: ref('excluded.pairs_1'),
          pairs_2: ref('excluded.pairs_2'),
          pairs_3: ref('excluded.pairs_3'),
          pairs_4: ref('excluded.pairs_4'),
        })),
      ),
);

export const updateListedVerdict = fixedQuery((db, { id, ...verdict }: { id: string } & ListedVerdict) =>
  db.updateTable('listing').set(verdict).where('id', '=', id).where('opened_at', '=', selectOpening(db, id)),
);

export const updateListedReview = fixedQuery((db, { id, decided, stage }: Pick<Listing, 'id' | 'decided' | 'stage'>) =>
  db.updateTable('listing').set({ decided, stage }).where('id', '=', id).where('opened_at', '=', selectOpening(db, id)),
);

/** Without its content nobody can review it. */
export const clearListedWords = fixedQuery((db, { opened_at, id }: Pick<Listing, 'opened_at' | 'id'>) =>
  db
    .updateTable('listing')
    .set({ ...noWords, stage: null })
    .where('opened_at', '=', opened_at)
    .where('id', '=', id),
);

export const deleteListing = fixedQuery((db, { opened_at, id }: Pick<Listing, 'opened_at' | 'id'>) =>
  db.deleteFrom('listing').where('opened_at', '=', opened_at).where('id', '=', id),
);

function selectOpening(db: Db, id: string) {
  return sql<string>`(${db.selectFrom('debates').select('opened_at').where('id', '=', id)})`;
}
