import type { Pool, PoolClient } from 'pg';
import { isAway, keepTrying, pauseBefore } from '../keep-trying.ts';
import type { OnNote, StreamSource, StreamRecord } from '../stream.ts';
import type { TableAddress } from './postgres-address.ts';
import { nameDatabaseError, openPool } from './postgres-client.ts';

/** Rows that are taken at once, and how often it is looked for new ones where nobody says that there are any. */
const batchRows = 100;
const lookMs = 2_000;
const mostConnections = 12;

/** Rows that one transaction holds for this process: when it dies, they are free for others at once. */
interface Batch {
  client: PoolClient;
  ids: string[];
  /** How many of them have their result with the sink. */
  done: number;
  /** The connection broke: others may take the rows by now. */
  isLost: boolean;
  onLost(): void;
}

interface Row {
  row_id: string;
  row_payload: string;
}

/**
 * The rows of a table that are not marked as done, in the order of their ids, shared with whoever else reads it: each
 * row is one reader's at a time. A row is marked when its result is with the sink.
 */
export async function followTable(address: TableAddress, { onNote }: { onNote: OnNote }): Promise<StreamSource> {
  const { table, id, payload, done, channel, place } = address;
  const make =
    `create table ${table} (${id} bigint generated always as identity primary key, ${payload} jsonb not null, ` +
    `${done} timestamptz); create index on ${table} (${id}) where ${done} is null;`;
  const pool = await openPool(address, mostConnections);
  /** In the order in which they were taken. */
  const batches: Batch[] = [];
  const ended = new AbortController();
  let wake = () => {};

  const naming = async <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw nameDatabaseError(error, address, make);
    });

  async function take(): Promise<readonly Row[] | null> {
    const client = await naming(pool.connect());
    const batch: Batch = { client, ids: [], done: 0, isLost: false, onLost: () => (batch.isLost = true) };
    client.once('error', batch.onLost);
    try {
      // Held as long as judging takes: a server that ends idle transactions would give the rows to others.
      await client.query('begin');
      await client.query('set local idle_in_transaction_session_timeout = 0');
      // Under other names than the columns: an order by them would be that of their texts.
      const { rows } = await client.query<Row>(
        `select ${id}::text as row_id, ${payload}::text as row_payload from ${table}
          where ${done} is null and ${id} <> all($1::bigint[]) order by ${id} limit ${batchRows} for update skip locked`,
        // Of a connection that broke, the rows are free again, and still in our hands.
        [batches.flatMap(({ ids }) => ids)],
      );
      if (rows.length > 0 && !ended.signal.aborted) {
        batch.ids = rows.map((row) => row.row_id);
        batches.push(batch);
        return rows;
      }
      await client.query('rollback');
      client.off('error', batch.onLost);
      client.release();
      return null;
    } catch (error) {
      client.release(true);
      throw nameDatabaseError(error, address, make);
    }
  }

  /** Marks what of a batch is done, and lets go of the rest. */
  async function settle({ client, ids, done: count, isLost, onLost }: Batch): Promise<void> {
    const mark = `update ${table} set ${done} = now() where ${id} = any($1::bigint[])`;
    const finished = ids.slice(0, count);
    client.off('error', onLost);
    try {
      if (isLost) throw new Error('The connection was lost.');
      await client.query(mark, [finished]);
      await client.query('commit');
      client.release();
    } catch {
      client.release(true);
      // Whoever took them over judges them again; the mark is right all the same.
      if (finished.length > 0)
        await keepTrying(() => naming(pool.query(mark, [finished])), { onNote, signal: ended.signal });
    }
  }

  await naming(pool.query(`select ${id}::bigint, ${payload}::text, ${done} from ${table} limit 0`)).catch(
    async (error: unknown) => {
      await pool.end();
      throw error;
    },
  );
  const listening = listen(pool, channel, () => wake(), ended.signal);

  return {
    name: place,
    async *records(signal) {
      signal.addEventListener('abort', () => wake(), { once: true });
      for (let attempt = 0; !signal.aborted && !ended.signal.aborted;) {
        const taken = await take().catch((error: unknown) => {
          if (!isAway(error)) throw error;
          if (attempt === 0) onNote(`${error.message} Waiting for it.`);
          return 'away' as const;
        });
        if (taken === 'away') {
          await pauseBefore(attempt, signal);
          attempt += 1;
          continue;
        }
        if (attempt > 0) onNote('It is back: the stream goes on.');
        attempt = 0;
        for (const row of taken ?? []) yield readRow(row);
        if (!taken)
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, lookMs);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
      }
    },
    async commit(last) {
      const [record] = last;
      const upTo = batches.findIndex(({ ids }) => ids.includes(String(record!.offset)));
      for (const batch of batches.slice(0, upTo)) batch.done = batch.ids.length;
      batches[upTo]!.done = batches[upTo]!.ids.indexOf(String(record!.offset)) + 1;
      for (let [first] = batches; first && first.done === first.ids.length; [first] = batches) {
        await settle(first);
        batches.shift();
      }
    },
    async close() {
      ended.abort();
      wake();
      for (const batch of batches.splice(0)) await settle(batch).catch(() => undefined);
      await listening;
      await pool.end();
    },
  };
}

function readRow({ row_id, row_payload: text }: Row): StreamRecord {
  const offset = Number(row_id);
  return { partition: 'rows', offset, next: offset + 1, key: null, content: { text }, bytes: text.length };
}

/** Hears of new rows, as long as there is a connection; without one they are looked for now and then. */
async function listen(pool: Pool, channel: string, onWord: () => void, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const client = await pool.connect().catch(() => null);
    if (client) {
      attempt = 0;
      client.on('notification', onWord);
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        client.once('error', () => resolve());
        client.query(`listen ${channel}`).catch(() => resolve());
      });
      client.release(true);
    }
    if (!signal.aborted) await pauseBefore(attempt, signal);
  }
}
