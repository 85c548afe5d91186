import type { Kind } from '../database/database.ts';
import { indexPart } from '../postgres/partitions.ts';
import { columnTypes } from './column-types.ts';

/**
 * What cases are listed, sought and queued by, and the rows of those that one judge decided alone: the listing has what
 * is their own, and refers to what they share. On PostgreSQL it is divided by the day (postgres/partitions.ts).
 */
export function listListingTables(kind: Kind): string[] {
  const { text, real, bytes, long, keyed } = columnTypes(kind);
  const isSqlite = kind === 'sqlite';
  // A case that is a single row waits in no queue, and on PostgreSQL does not take the room to say so.
  const always = isSqlite ? ' not null' : '';
  const byDay = isSqlite ? 'strict, without rowid' : 'partition by range (opened_at)';
  // Each part says by itself that a case is there once: all of them together need no key that names every case again.
  const key = isSqlite ? ', primary key (opened_at, id)' : '';
  return [
    // What is read and sought most comes first: SQLite reads a row up to the column that it needs.
    `create table listing (
      opened_at ${text} not null, id ${text} not null, job ${text} not null, label ${text},
      escalate integer not null, degraded integer not null, decided integer not null, modality ${text},
      disagreement ${real}, pairs_1 ${long}, pairs_2 ${long}, pairs_3 ${long},
      pairs_4 ${long}, run ${text}, categories ${text} not null, models ${text} not null, search ${text},
      risk ${real}, bar ${real}, cost_usd ${real}, latency_ms ${real},
      urgency ${real} not null default 0, stage ${text}, action ${text}, severity ${text},
      queue ${text}${always} default 'default',
      -- A moment that never comes, so that what has none is sorted last by both databases.
      due_at ${text}${always} default '9999-12-31T23:59:59.999Z',
      sampled integer not null default 0, assigned ${text}, clauses ${text} not null default '[]',
      language ${text}, channel ${text}, shadow integer not null default 0,
      reviewed integer not null default 0, setup integer,
      subject ${bytes}, packed ${bytes}, author ${text}, thread ${text}${key}
    ) ${byDay}`,
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
    isSqlite
      ? 'create unique index listing_by_id on listing (id)'
      : 'create index listing_by_opening on listing (opened_at)',
    `create table setups (
      id integer not null primary key, hash ${text} not null, job ${text} not null,
      configuration ${text} not null, settings ${text} not null,
      policy ${text} not null references policies (hash), dictionary ${bytes} not null
    ) ${keyed}`,
    `create table batches (
      id ${text} not null primary key, opened_at ${text} not null, size integer not null, root ${text} not null,
      hashes ${bytes} not null
    ) ${keyed}`,
    'create index batches_by_opening on batches (opened_at)',
    // Days come with what is judged on them (postgres/partitions.ts); what fits into none has a part as well.
    ...(isSqlite ? [] : ['create table listing_rest partition of listing default', indexPart('listing_rest')]),
  ];
}
