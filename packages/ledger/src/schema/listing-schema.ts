import type { Kind } from '../database/database.ts';
import { indexPart } from '../postgres/partitions.ts';
import { keyedTable, listingTable } from './table.ts';

/**
 * What cases are listed, sought and queued by, and the rows of those that one judge decided alone: the listing has what
 * is their own, and refers to what they share. On PostgreSQL it is divided by the day (postgres/partitions.ts).
 */
export const listingTables = {
  /**
   * What is read and sought most comes first: SQLite reads a row up to the column that it needs. `decided`: whether a
   * person has. `disagreement`, `models`, `clauses` and `pairs_1` to `pairs_4`, the letter pairs of `search`, stand
   * here only; what is of the verdict is null while there is none. `language`: of its context, or told by its first
   * words where a queue asks for it; `channel` goes with its content. `shadow`: whether it was judged in the shadow of
   * another: no list and no figure has it. `reviewed`: whether people review such cases. `urgency`: how much a person
   * is needed, 0 to 1. `stage`: where it stands with its reviewers; null for what needs none: nobody is unsure, it is a
   * replay, a document, or forgotten. `queue`: that it waits in, or waited in. `due_at`: by when it should be decided;
   * where there is no such moment one that never comes, so that both databases sort it last. `sampled`: whether the
   * machine was sure, and a quality sample drew it. `assigned`: who is to decide it next. From `setup` on, of a case
   * that is this row and no other: what it shares with others of its set-up, the hash of what was judged, what no
   * column says, and what stands with the context of other cases.
   */
  listing: listingTable(`
    opened_at text not null, id text not null, job text not null, label text, escalate integer not null,
    degraded integer not null, decided integer not null, modality text, disagreement real, pairs_1 long, pairs_2 long,
    pairs_3 long, pairs_4 long, run text, categories text not null, models text not null, search text, risk real,
    bar real, cost_usd real, latency_ms real, urgency real not null default 0, stage text, action text, severity text,
    queue text always default 'default', due_at text always default '9999-12-31T23:59:59.999Z',
    sampled integer not null default 0, assigned text, clauses text not null default '[]', language text, channel text,
    shadow integer not null default 0, reviewed integer not null default 0, setup integer, subject bytes, packed bytes,
    author text, thread text`),
  /**
   * What cases of one configuration have in common: for each of its dictionaries, against which what is packed in their
   * rows is compressed and which grow, a row. `id` is made from `hash`.
   */
  setups: keyedTable(`
    id integer not null primary key, hash text not null, job text not null, configuration text not null,
    settings text not null, policy text not null references policies (hash), dictionary bytes not null`),
  /** Rows that were written together, by their hashes, which stay when a row goes. `root`: the hash of the hashes. */
  batches: keyedTable(`
    id text not null primary key, opened_at text not null, size integer not null, root text not null,
    hashes bytes not null`),
};

export function listListingIndexes(kind: Kind): string[] {
  return [
    // With what is counted at its end, so that nothing has to be looked up.
    'create index listing_by_urgency on listing (stage, urgency desc, opened_at, id, job) where stage is not null',
    'create index listing_by_queue on listing (queue, stage, urgency desc, opened_at, id) where stage is not null',
    `create index listing_by_queue_due on listing (queue, stage, due_at, opened_at, id, assigned)
      where stage is not null`,
    'create index listing_sampled on listing (queue, decided) where sampled = 1',
    `create index listing_by_assigned on listing (assigned, stage, urgency desc, opened_at, id)
      where stage is not null`,
    'create index listing_by_due on listing (stage, due_at, opened_at, id, assigned) where stage is not null',
    'create index listing_by_author on listing (author) where author is not null',
    'create index listing_by_thread on listing (thread) where thread is not null',
    'create index listing_by_subject on listing (substr(subject, 1, 7)) where subject is not null',
    kind === 'sqlite'
      ? 'create unique index listing_by_id on listing (id)'
      : 'create index listing_by_opening on listing (opened_at)',
    'create index batches_by_opening on batches (opened_at)',
    // Days come with what is judged on them (postgres/partitions.ts); what fits into none has a part as well.
    ...(kind === 'sqlite' ? [] : ['create table listing_rest partition of listing default', indexPart('listing_rest')]),
  ];
}
