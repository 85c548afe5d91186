import { sql } from 'kysely';
import type { Kind, Trx } from '../database/database.ts';
import { oneOf, rowsOf } from '../database/fixed-query.ts';
import { storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { isJudged, lockRun } from './run-rows.ts';
import type { ItemState, NewRunItem, PutReport } from './runs.ts';

const itemsAtOnce = 500;

/** Adds items to a run; whoever else adds some waits meanwhile. */
export async function putItems(trx: Trx, kind: Kind, run: string, items: readonly NewRunItem[]): Promise<PutReport> {
  await lockRun(trx, kind, run);
  const report = { inserted: 0, same: 0, changed: [] as number[] };
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    const batch = items.slice(from, from + itemsAtOnce);
    const fresh = await selectFresh(trx, kind, run, batch, report.changed);
    if (fresh.length === 0) continue;
    const placed = await placeItems(trx, kind, run, fresh);
    await insertItems(trx, kind, run, placed);
    report.inserted += placed.length;
    report.same += placed.filter(({ state }) => state === 'same').length;
  }
  return report;
}

/** Those that the run does not have yet; notes those that it has with another content. */
async function selectFresh(
  trx: Trx,
  kind: Kind,
  run: string,
  items: readonly NewRunItem[],
  changed: number[],
): Promise<NewRunItem[]> {
  const rows = await trx
    .selectFrom('run_items')
    .select(['position', 'hash'])
    .where('run', '=', run)
    .where(
      oneOf(
        kind,
        'position',
        items.map(({ position }) => position),
      ),
    )
    .execute();
  const there = new Map(rows.map(({ position, hash }) => [position, hash]));
  return items.filter(({ position, hash }) => {
    const known = there.get(position);
    if (known !== undefined && known !== toStorable(hash)) changed.push(position);
    there.set(position, known ?? toStorable(hash));
    return known === undefined;
  });
}

interface PlacedItem {
  position: number;
  key: string;
  hash: string;
  input: string | null;
  expected: string | null;
  state: ItemState;
  sameAs: number | null;
  error: string | null;
  endedAt: string | null;
}

/** Finds the item that is judged for each content, and a key of its own for each item. */
async function placeItems(trx: Trx, kind: Kind, run: string, items: readonly NewRunItem[]): Promise<PlacedItem[]> {
  const judged = await trx
    .selectFrom('run_items')
    .select(['hash', 'position', 'ended_at'])
    .where('run', '=', run)
    .where(
      oneOf(
        kind,
        'hash',
        items.map(({ hash }) => toStorable(hash)),
      ),
    )
    .where(isJudged)
    // One that ends meanwhile ends those of the same content too: either we see that it has ended, or it sees ours.
    // In the order of positions, as whoever locks several; the sum keeps the database from reading the whole run in
    // that order.
    .$if(kind === 'postgresql', (query) => query.orderBy(sql`position + 0`).forShare())
    .execute();
  const byContent = new Map(
    judged.map(({ hash, position, ended_at }) => [hash, { position, ended: ended_at !== null }]),
  );
  const keys = await chooseKeys(trx, kind, run, items);
  const now = new Date().toISOString();
  return items.map(({ position, hash: given, input, expected = null, error = null }, index) => {
    const hash = toStorable(given);
    const item = {
      position,
      key: keys[index]!,
      hash,
      expected: toStorable(expected),
      input: null,
      sameAs: null,
      error: null,
      endedAt: null,
    };
    if (error) return { ...item, state: 'failed', error: toStored(error), endedAt: now };
    const first = byContent.get(hash);
    if (first) return { ...item, state: 'same', sameAs: first.position, endedAt: first.ended ? now : null };
    byContent.set(hash, { position, ended: false });
    return { ...item, state: 'waiting', input: toStored(input) };
  });
}

/** A key that is taken gets the position behind it. */
async function chooseKeys(trx: Trx, kind: Kind, run: string, items: readonly NewRunItem[]): Promise<string[]> {
  const keys = items.map(({ key }) => toStorable(key));
  const used = new Set<string>();
  let open = items.map((_, index) => index);
  while (open.length > 0) {
    const rows = await trx
      .selectFrom('run_items')
      .select('key')
      .where('run', '=', run)
      .where(
        oneOf(
          kind,
          'key',
          open.map((index) => keys[index]!),
        ),
      )
      .execute();
    const taken = new Set(rows.map(({ key }) => key));
    open = open.filter((index) => {
      const key = keys[index]!;
      const free = !taken.has(key) && !used.has(key);
      if (free) used.add(key);
      else keys[index] = `${key}#${items[index]!.position}`;
      return !free;
    });
  }
  return keys;
}

/** One statement: thousands of parameters take longer than the rows. */
async function insertItems(trx: Trx, kind: Kind, run: string, items: readonly PlacedItem[]): Promise<void> {
  const rows = items.map(({ position, key, hash, input, expected, state, sameAs, error, endedAt }) => [
    position,
    key,
    hash,
    input,
    expected,
    state,
    sameAs,
    error,
    endedAt,
  ]);
  await sql`
    insert into run_items (run, position, version, key, hash, input, expected, state, same_as, error, ended_at,
      attempts)
    select cast(${run} as text), cast(value ->> 0 as bigint), cast(${storedVersion} as integer), value ->> 1,
      value ->> 2, value ->> 3, value ->> 4, value ->> 5, cast(value ->> 6 as bigint), value ->> 7, value ->> 8, 0
    from ${rowsOf(kind, rows)}`.execute(trx);
}
