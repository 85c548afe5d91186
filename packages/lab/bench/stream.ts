import { ownJobs } from '@agonhq/core/own-jobs';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createClient } from '@agonhq/server/client';
import { openLedger } from '@agonhq/ledger';
import { startServer } from '@agonhq/server';
import { keepInFile, openSink, openSource, runStream } from '@agonhq/core/streams';
import { startKafkaBroker } from '@agonhq/test/support/kafka-broker.ts';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { table, whole } from './table.ts';

/*
 * Records a second through each source and sink, with a judge that answers at once: what is measured is the way there
 * and back; and whether memory grows with what has gone through. npm run bench:stream [-- --short]
 */

const records = process.argv.includes('--short') ? 5_000 : 200_000;
const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-stream-'));
const line = (at: number) => `{"id":"${at}","text":"A short note, number ${at}, as people write them."}`;

interface Measured {
  seconds: number;
  /** What is left of the heap after a collection, at a tenth and at the end. */
  startMb: number;
  endMb: number;
  peakMb: number;
}

/** Looks at the heap as results come. */
function watchHeap(count: number) {
  const heapMb = () => process.memoryUsage().heapUsed / 2 ** 20;
  const collected = () => {
    globalThis.gc!();
    return heapMb();
  };
  const seen = { startMb: 0, endMb: 0, peakMb: 0 };
  return {
    seen,
    look(done: number) {
      seen.peakMb = Math.max(seen.peakMb, heapMb());
      if (done >= count / 10) seen.startMb ||= collected();
      if (done >= count) seen.endMb ||= collected();
    },
  };
}

/** Judges until so many have their results. */
async function measure(from: string, to: string, count: number): Promise<Measured> {
  const stop = new AbortController();
  const onNote = (text: string) => void process.stderr.write(`${text}\n`);
  const source = await openSource(from, { positions: keepInFile(path.join(folder, `${count}.offset`)), onNote });
  const sink = await openSink(to, { onNote, signal: stop.signal });
  let began = 0;
  let last = 0;
  const heap = watchHeap(count);
  await runStream({
    stream: 'bench',
    source,
    sink,
    concurrency: 64,
    signal: stop.signal,
    async judge({ offset }) {
      // Joining a group takes its time, which is not that of a record.
      began ||= performance.now();
      return { key: String(offset), outcome: { label: 'safe', risk: 0.01, escalate: false } };
    },
    onProgress({ judged }) {
      last = performance.now();
      heap.look(judged);
      if (judged >= count) stop.abort();
    },
  });
  await source.close();
  await sink.close();
  return { seconds: (last - began) / 1000, ...heap.seen };
}

/** Over one request after the other, as the client does it: lines that are refused, since a judge would be what is measured. */
async function measureHttp(): Promise<Measured> {
  const ledger = await openLedger({ file: path.join(folder, 'ledger.sqlite') });
  const server = await startServer({
    jobs: ownJobs,
    settings: { server: { port: 0 } },
    ledger,
    environment: { AGON_HOME: folder },
  });
  function* items() {
    for (let at = 0; at < records; at += 1) yield { colour: `A short note, number ${at}, as people write them.` };
  }
  const heap = watchHeap(records);
  const began = performance.now();
  let done = 0;
  for await (const _ of createClient({ baseUrl: server.url }).streams.judge(items() as never)) heap.look((done += 1));
  const seconds = (performance.now() - began) / 1000;
  await server.close();
  await ledger.close();
  return { seconds, ...heap.seen };
}

async function writeItems(file: string): Promise<void> {
  const stream = createWriteStream(file);
  for (let at = 0; at < records; at += 1) if (!stream.write(`${line(at)}\n`)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
}

const rows: string[][] = [];
function report(way: string, count: number, { seconds, startMb, endMb, peakMb }: Measured): void {
  rows.push([way, whole(count), whole(count / seconds), whole(startMb), whole(endMb), whole(peakMb)]);
}

try {
  const items = path.join(folder, 'items.jsonl');
  await writeItems(items);
  report('file → file', records, await measure(items, path.join(folder, 'results.jsonl'), records));

  report('HTTP → HTTP (lines that are refused)', records, await measureHttp());

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

  console.log(table(['way', 'records', 'a second', 'heap at a tenth, MB', 'at the end, MB', 'highest, MB'], rows));
  console.log(
    `\nLoad: ${loadavg()
      .map((each) => each.toFixed(1))
      .join(', ')}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
