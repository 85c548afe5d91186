import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { runStream } from '../run-stream.ts';
import { followTable } from './follow-table.ts';
import { parseTableAddress } from './postgres-address.ts';
import { openTableSink } from './table-sink.ts';

let server: PostgresServer;
let url: string;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server.stop();
});
beforeEach(async () => {
  url = await server.newDatabase();
  pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => undefined);
  await pool.query(`create table outbox (id bigint generated always as identity primary key, payload jsonb not null,
    judged_at timestamptz);
    create table verdicts (stream text, partition text, "offset" bigint, key text, result jsonb not null,
    primary key (stream, partition, "offset"))`);
  return () => pool.end();
});

const at = (table: string) => {
  const address = new URL(url);
  address.searchParams.set('table', table);
  return parseTableAddress(address.href);
};
const fill = (count: number) =>
  pool.query(
    `insert into outbox (payload) select jsonb_build_object('text', 'item ' || n) from generate_series(1, $1) n`,
    [count],
  );
const count = async (sql: string) =>
  Number((await pool.query<{ n: string }>(`select count(*) as n from ${sql}`)).rows[0]!.n);
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 });

/** Judges the outbox into the verdicts, until it is stopped. */
async function judge(judgeMs = 0) {
  const notes: string[] = [];
  const seen: number[] = [];
  const stop = new AbortController();
  const onNote = (text: string) => void notes.push(text);
  const source = await followTable(at('outbox'), { onNote });
  const sink = await openTableSink(at('verdicts'), { onNote, signal: stop.signal });
  const running = runStream({
    stream: 'outbox',
    source,
    sink,
    concurrency: 8,
    signal: stop.signal,
    async judge({ offset, content: { text } }, signal) {
      if (judgeMs > 0) await pause(judgeMs, undefined, { signal });
      seen.push(offset);
      return { key: (JSON.parse(text) as { text: string }).text, outcome: { label: 'safe' } };
    },
  });
  return {
    notes,
    seen,
    async stop() {
      stop.abort();
      await running;
      await source.close();
      await sink.close();
    },
  };
}

describe('a table of PostgreSQL', { timeout: 60_000 }, () => {
  test('is judged into another, is marked row by row, and a word wakes its reader', async () => {
    await fill(250);
    const judging = await judge();
    await until(async () => expect(await count('verdicts')).toBe(250));
    await until(async () => expect(await count('outbox where judged_at is null')).toBe(0));
    const { rows } = await pool.query(`select * from verdicts order by "offset" limit 1`);
    expect(rows).toEqual([
      { stream: 'outbox', partition: 'rows', offset: '1', key: 'item 1', result: { label: 'safe' } },
    ]);
    await pause(300);
    const began = performance.now();
    await pool.query(`insert into outbox (payload) values ('{"text":"late"}'); notify outbox`);
    await until(async () => expect(await count('verdicts')).toBe(251));
    expect(performance.now() - began).toBeLessThan(1_500);
    await judging.stop();
    expect(judging.seen).toEqual(Array.from({ length: 251 }, (_, offset) => offset + 1));
  });

  test('is shared by several readers, each row by one, and a stopped one leaves the rest to the others', async () => {
    await fill(600);
    const [first, second] = await Promise.all([judge(5), judge(5)]);
    await until(() => expect(Math.min(first.seen.length, second.seen.length)).toBeGreaterThan(30));
    await first.stop();
    await until(async () => expect(await count('outbox where judged_at is null')).toBe(0));
    await second.stop();
    expect(await count('verdicts')).toBe(600);
    // What the first had judged behind a row that it had not is judged again by the second.
    expect(first.seen.length + second.seen.length).toBeLessThan(600 + 30);
  });

  test('is waited for while its server restarts, and every row has its result once', async () => {
    await fill(400);
    const judging = await judge(10);
    await until(() => expect(judging.seen.length).toBeGreaterThan(50));
    await server.restart({ awayMs: 500 });
    await until(async () => expect(await count('outbox where judged_at is null')).toBe(0));
    expect(await count('verdicts')).toBe(400);
    await judging.stop();
    expect(judging.notes.join(' ')).toContain('cannot be reached');
  });

  test('that is not there, or not as it should be, is refused with how to make it', async () => {
    const onNote = () => undefined;
    const signal = new AbortController().signal;
    await expect(followTable(at('nothing'), { onNote })).rejects.toMatchObject({
      code: 'unknown-table',
      hint: expect.stringContaining('create table "nothing" ("id" bigint'),
    });
    await expect(openTableSink(at('outbox'), { onNote, signal })).rejects.toMatchObject({
      code: 'unknown-table',
      hint: expect.stringContaining('primary key (stream, partition, "offset")'),
    });
    await pool.query(`create role stranger login password 'x'`);
    const address = new URL(url);
    address.username = 'stranger';
    address.password = 'x';
    address.searchParams.set('table', 'outbox');
    await expect(followTable(parseTableAddress(address.href), { onNote })).rejects.toMatchObject({
      code: 'no-stream-rights',
    });
    await pool.query('drop role stranger');
    expect(() => parseTableAddress('postgres://u:secret@h/d')).toThrow(/^The address names no table/);
    await expect(followTable(parseTableAddress('postgres://127.0.0.1:9/d?table=t'), { onNote })).rejects.toMatchObject({
      code: 'database-unreachable',
    });
  });
});
