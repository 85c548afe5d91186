import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import type { Db, Kind, Trx } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { fromStored } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import { longestPauseMs } from './item-outcomes.ts';
import type { TakenItem } from './workers.ts';

/** Until when what a worker takes is its own, unless it says that it is still at it. */
export interface Lease {
  worker: string;
  until: RawBuilder<string>;
}

export interface Take {
  /** At most so many. */
  count: number;
  /** 1 for those that are tried by themselves. */
  alone?: 0 | 1;
  /** Only those behind this position. */
  after?: number;
}

type Chosen = SelectQueryBuilder<Tables, 'run_items', { place: number }>;

function selectPlaces(db: Db, run: string): Chosen {
  return db.selectFrom('run_items').select('position as place').where('run', '=', run);
}

/**
 * Items of a run that wait, and may be taken now: beside others, or by themselves. Those that are tried by themselves
 * come in turn, so that a process that is killed again and again blames none. A pause that is longer than any was begun
 * by a clock that has been set back since.
 */
export function selectDue(db: Db, kind: Kind, run: string, alone: 0 | 1): Chosen {
  return selectPlaces(db, run)
    .where('state', '=', 'waiting')
    .where('alone', '=', alone)
    .where(({ or, eb }) =>
      or([
        eb('due_at', 'is', null),
        eb('due_at', '<=', momentOf(kind)),
        eb('due_at', '>', momentOf(kind, longestPauseMs)),
      ]),
    )
    .$if(alone === 1, (query) => query.orderBy('attempts'));
}

/**
 * Changes chosen items of a run. On PostgreSQL their rows are locked in the order of positions, so that nobody waits in
 * a circle; `passing` leaves those to others that they have locked. SQLite has one writer at a time.
 */
export function changeChosen(trx: Trx, kind: Kind, run: string, chosen: Chosen, { passing }: { passing: boolean }) {
  const inOrder = chosen.orderBy('position');
  const locked = passing ? inOrder.forNoKeyUpdate().skipLocked() : inOrder.forNoKeyUpdate();
  return trx
    .with('chosen', () => (kind === 'postgresql' ? locked : inOrder))
    .updateTable('run_items')
    .from('chosen')
    .where('run', '=', run)
    .whereRef('position', '=', 'place');
}

/** Items that are due, the oldest first; from now on they are in the worker's hands. */
export async function takeDueItems(
  trx: Trx,
  kind: Kind,
  run: string,
  { lease, count, alone = 0, after }: Take & { lease: Lease },
): Promise<TakenItem[]> {
  const due = selectDue(trx, kind, run, alone)
    .$if(after !== undefined, (query) => query.where('position', '>', after!))
    .limit(count);
  const rows = await changeChosen(trx, kind, run, due, { passing: true })
    .set({ state: 'running', worker: lease.worker, due_at: lease.until })
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('runs').select('runs.id').where('runs.id', '=', run).where('runs.state', '<>', 'cancelled')),
    )
    .returning(['position', 'version', 'key', 'hash', 'input', 'expected', 'attempts'])
    .execute();
  return rows
    .map(({ version, input, ...item }) => ({
      ...item,
      run,
      input: input === null ? null : fromStored('run-item', version, input),
    }))
    .sort((a, b) => a.position - b.position);
}

/** A worker is still at its items. Returns how often those that are its own were tried before, by position. */
export async function renewLeases(
  trx: Trx,
  kind: Kind,
  run: string,
  { worker, until }: Lease,
  items: readonly TakenItem[],
): Promise<ReadonlyMap<number, number>> {
  const positions = items.map(({ position }) => position);
  const held = selectHeld(trx, run, worker).where(oneOf(kind, 'position', positions));
  const rows = await changeChosen(trx, kind, run, held, { passing: false })
    .set({ due_at: until })
    .returning(['position', 'attempts'])
    .execute();
  return new Map(rows.map(({ position, attempts }) => [position, attempts]));
}

/** What a worker has and does not know of, since an answer of the database was lost, waits again. */
export async function releaseStrays(
  trx: Trx,
  kind: Kind,
  run: string,
  worker: string,
  known: readonly number[],
): Promise<void> {
  const strays = selectHeld(trx, run, worker).where(({ not }) => not(oneOf(kind, 'position', known)));
  await changeChosen(trx, kind, run, strays, { passing: false })
    .set({ state: 'waiting', worker: null, due_at: null })
    .execute();
}

function selectHeld(db: Db, run: string, worker: string): Chosen {
  return selectPlaces(db, run).where('state', '=', 'running').where('worker', '=', worker);
}
