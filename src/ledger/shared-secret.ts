import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/**
 * The secret that all machines on a server share, made by whoever asks first; undefined for a file, which serves one
 * machine.
 */
export async function sharedSecret({ kind, db }: Database): Promise<string | undefined> {
  if (kind === 'sqlite') return undefined;
  await db
    .insertInto('meta')
    .values({ key: 'secret', value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await db.selectFrom('meta').select('value').where('key', '=', 'secret').executeTakeFirstOrThrow()).value;
}
