import type { Selectable } from 'kysely';
import type { Db } from '../database/database.ts';
import type { Tables } from '../schema/tables.ts';

const hashBytes = 32;

/** The batch that a row was written in, and its place there: rows of a batch were opened at the same moment. */
export async function findBatch(
  db: Db,
  opened_at: string,
  hash: Uint8Array,
): Promise<{ batch: Selectable<Tables['batches']>; place: number } | undefined> {
  const batches = await db.selectFrom('batches').selectAll().where('opened_at', '=', opened_at).execute();
  for (const batch of batches) {
    const place = findPlace(batch.hashes, hash);
    if (place !== -1) return { batch, place };
  }
  return undefined;
}

function findPlace(hashes: Uint8Array, hash: Uint8Array): number {
  return splitHashes(hashes).findIndex((one) => Buffer.compare(one, hash) === 0);
}

export function splitHashes(hashes: Uint8Array): Uint8Array[] {
  return Array.from({ length: hashes.length / hashBytes }, (_, index) =>
    hashes.subarray(index * hashBytes, (index + 1) * hashBytes),
  );
}
