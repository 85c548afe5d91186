import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { Db, Kind, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { toStorable } from '../database/stored-json.ts';

/** What was made is remembered longer than the claim of its request, which is renewed until it is answered. */
const longerMs = 3_600_000;

/**
 * Makes what a request asks for, and remembers under its key which id that has, in one transaction: whoever asks again
 * gets that id, whenever the process ended. A request that makes several things says of which this is the one.
 */
export async function makeOnce(
  trx: Trx,
  kind: Kind,
  once: KeyedRequest | undefined,
  make: () => Promise<string>,
  which?: string,
): Promise<string> {
  if (!once) return make();
  const place = placeOf(once, which);
  // First, so that whoever does the same at this moment waits here.
  const isFirst = await insertNew(
    trx
      .insertInto('idempotency_keys')
      .values({ ...place, request: once.request, location: null, state: 'done', claimed_at: momentOf(kind, longerMs) }),
  );
  const before = isFirst ? null : await findMade(trx, once, which);
  if (before !== null) return before;
  const location = await make();
  await trx
    .updateTable('idempotency_keys')
    .set({ location })
    .where('owner', '=', place.owner)
    .where('key', '=', place.key)
    .execute();
  return location;
}

/** The id of what a request has made; null where it has not, or has no key. */
export async function findMade(db: Db | Trx, once: KeyedRequest | undefined, which?: string): Promise<string | null> {
  if (!once) return null;
  const { owner, key } = placeOf(once, which);
  const row = await db
    .selectFrom('idempotency_keys')
    .select('location')
    .where('owner', '=', owner)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.location ?? null;
}

/** No client's key has a space in it. */
function placeOf({ owner, key, request }: KeyedRequest, which = ''): { owner: string; key: string } {
  return { owner, key: toStorable(`${key} ${request} ${which}`) };
}
