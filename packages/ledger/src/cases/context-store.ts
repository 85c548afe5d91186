import type { ItemContext } from '@agonhq/engine/items/item-context';
import type { Trx } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import { storedVersion, toStorable, toStored } from '../database/stored-json.ts';

/** Keeps what is known about an item beside what it says, with its case. */
export async function keepContext(trx: Trx, debate: string, opened_at: string, context: ItemContext): Promise<void> {
  const row = {
    version: storedVersion,
    opened_at,
    author: toStorable(context.author ?? null),
    thread: toStorable(context.thread ?? null),
    context: toStored(context),
  };
  await putRow(trx, 'contexts', { debate }, row);
}
