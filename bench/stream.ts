import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { keepInFile, openSink, openSource, runStream } from '../src/streams/index.ts';
import { startKafkaBroker } from '../test/support/kafka-broker.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { table, whole } from './table.ts';

/*
 * Records a second through each source and sink, with a judge that answers at once: what is measured is the way there
 * and back. npm run bench:stream [-- --short]
 */

const records = process.argv.includes('--short') ? 5_000 : 100_000;
const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-stream-'));
const line = (at: number) => `{"id":"${at}","text":"A short note, number ${at}, as people write them."}`;

interface Measured {
  seconds: number;
  startMb: number;
  peakMb: number;
}

/** Judges until so many have their results. */
async function measure(from: string, to: string, count: number): Promise<Measured> {
  const stop = new AbortController();
  const onNote = (text: string) => void process.stderr.write(`${text}\n`);
  const source = await openSource(from, { positions: keepInFile(path.join(folder, `${count}.offset`)), onNote });
  const sink = await openSink(to, { onNote, signal: stop.signal });
  let began = 0;
  let last = 0;
  let startMb = 0;
  let peakMb = 0;
  await runStream({
    stream: 'bench',
    source,
    sink,
    concurrency: 64,
    signal: stop.signal,
    async judge({ offset }) {
      // Joining a group takes its time, which is not that of a record.
      began ||= performance.now();
      return { key: String(offset), outcome: { label: 'safe', score: 0.01, escalate: false } };
    },
    onProgress({ judged }) {
      last = performance.now();
      const heap = process.memoryUsage().heapUsed / 2 ** 20;
      if (judged > count / 10) startMb ||= heap;
      peakMb = Math.max(peakMb, heap);
      if (judged >= count) stop.abort();
    },
  });
  await source.close();
  await sink.close();
  return { seconds: (last - began) / 1000, startMb, peakMb };
}

async function writeItems(file: string): Promise<void> {
  const stream = createWriteStream(file);
  for (let at = 0; at < records; at += 1) if (!stream.write(`${line(at)}\n`)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
}

const rows: string[][] = [];
function report(way: string, count: number, { seconds, startMb, peakMb }: Measured): void {
  rows.push([way, whole(count), whole(count / seconds), whole(startMb), whole(peakMb)]);
}

try {
  const items = path.join(folder, 'items.jsonl');
  await writeItems(items);
  report('file → file', records, await measure(items, path.join(folder, 'results.jsonl'), records));

  const server = await startPostgres();
  const url = await server.newDatabase();
  const pool = new pg.Pool({ connectionString: url });
  await pool.query(`create table outbox (id bigint generated always as identity primary key, payload jsonb not null,
    judged_at timestamptz); create index on outbox (id) where judged_at is null;
    create table verdicts (stream text, partition text, "offset" bigint, key text, result jsonb not null,
    primary key (stream, partition, "offset"))`);
  await pool.query(
    `insert into outbox (payload) select jsonb_build_object('text', 'A short note, number ' || n) from generate_series(1, $1) n`,
    [records],
  );
  const at = (table: string) => `${url}${url.includes('?') ? '&' : '?'}table=${table}`;
  report('PostgreSQL → PostgreSQL', records, await measure(at('outbox'), at('verdicts'), records));
  await pool.end();
  await server.stop();

  // The mock cluster keeps 5 MB of a partition at most: older records are gone.
  const fewer = Math.min(records, 50_000);
  const broker = await startKafkaBroker();
  await broker.produce(
    'items',
    Array.from({ length: fewer }, (_, each) => `${each}\t${line(each)}`),
  );
  await broker.produce('verdicts', ['first\t{}']);
  const topic = (name: string) => `kafka://${broker.address}/${name}`;
  report('Kafka → Kafka (mock cluster)', fewer, await measure(topic('items'), topic('verdicts'), fewer));
  await broker.stop();

  console.log(table(['way', 'records', 'a second', 'heap at a tenth, MB', 'highest heap, MB'], rows));
  console.log(
    `\nLoad: ${loadavg()
      .map((each) => each.toFixed(1))
      .join(', ')}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
