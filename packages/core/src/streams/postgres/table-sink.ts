import { keepTrying, type TryOptions } from '../keep-trying.ts';
import type { Sink } from '../stream.ts';
import type { TableAddress } from './postgres-address.ts';
import { nameDatabaseError, openPool } from './postgres-client.ts';

/**
 * Puts results into a table, each once: stream, partition and offset are its key. Whoever listens on the table's
 * channel is told that there are some.
 */
export async function openTableSink(address: TableAddress, options: TryOptions): Promise<Sink> {
  const { table, channel, place } = address;
  const make =
    `create table ${table} (stream text, partition text, "offset" bigint, key text, result jsonb not null, ` +
    'primary key (stream, partition, "offset"));';
  const pool = await openPool(address, 2);
  const naming = (error: unknown): never => {
    throw nameDatabaseError(error, address, make);
  };
  await pool
    .query(`select stream, partition, "offset", key, result from ${table} limit 0`)
    .catch(naming)
    .catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
  const insert = `insert into ${table} (stream, partition, "offset", key, result)
    select value->>'stream', value->>'partition', (value->>'offset')::bigint, value->>'key',
      value - '{stream,partition,offset,key}'::text[]
    from jsonb_array_elements($1::jsonb) as value on conflict do nothing`;

  return {
    name: place,
    async write(results) {
      // PostgreSQL keeps no NUL in its JSON.
      const values = JSON.stringify(results).replaceAll(String.raw`\u0000`, String.raw`\ufffd`);
      await keepTrying(async () => {
        await pool.query(insert, [values]).catch(naming);
        await pool.query(`notify ${channel}`).catch(naming);
      }, options);
    },
    flush: async () => undefined,
    close: () => pool.end(),
  };
}
