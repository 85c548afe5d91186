import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { openLedger } from '../src/ledger/index.ts';
import { openFleetStage, repeatedCalls } from '../test/support/fleet-stage.ts';
import { decimals, table, whole } from './table.ts';

/*
 * One to four workers on a real server of PostgreSQL, against a provider whose calls take 100 ms: `npm run bench:fleet [-- --json]`.
 * Each worker judges eight items at once, debates of three calls of which two are made together; the ideal is what the
 * calls alone would take. Needs the built project (npm run build).
 */

const latencyMs = 100;
const atOnce = 8;
const itemsOfOne = 400;
const callsOfADebate = 3;
const stepsOfADebate = 2;

interface Row {
  workers: number;
  items: number;
  itemsPerSecond: number;
  callsPerSecond: number;
  ofIdeal: number;
  times: number;
  repeated: number;
}

const before = loadavg()[0]!;
const rows: Row[] = [];
for (const workers of [1, 2, 4]) rows.push(await measure(workers));

if (process.argv.includes('--json')) console.log(JSON.stringify({ latencyMs, atOnce, load: before, rows }, null, 2));
else {
  console.log(`Workers on PostgreSQL, calls of ${latencyMs} ms, ${atOnce} items at once each (load before: ${decimals(before, 1)})\n`);
  const cells = rows.map((row) => [row.workers, whole(row.items), decimals(row.itemsPerSecond, 1), whole(row.callsPerSecond), decimals(row.ofIdeal, 2), decimals(row.times, 2), row.repeated]);
  console.log(table(['workers', 'items', 'items/s', 'calls/s', 'of the ideal', 'times one', 'calls made twice'], cells));
}

async function measure(workers: number): Promise<Row> {
  await using stage = await openFleetStage({ script: { latencyMs }, model: { concurrency: 1_000 } });
  const items = itemsOfOne * workers;
  const file = path.join(stage.folder, 'items.jsonl');
  await writeFile(file, Array.from({ length: items }, (_, index) => `${JSON.stringify({ id: `item-${index}`, text: `A short note, number ${index}, about the weather.` })}\n`).join(''));
  for (let index = 0; index < workers; index += 1) await stage.worker(`worker-${index}`, ['--concurrency', String(atOnce)]);
  const started = await stage.agon(['run', 'moderation', '--file', file, '--rounds', '1', '--without', 'retrieval,supporter', '--detach', '--json']);
  const { run } = JSON.parse(started.stdout) as { run: string };
  const ledger = await openLedger({ url: stage.url });
  while ((await ledger.runs.find(run))!.state === 'running') await new Promise((resolve) => setTimeout(resolve, 200));
  const { done } = await ledger.runs.counts(run);
  await ledger.close();
  if (done !== items) throw new Error(`${done} of ${items} items were judged`);

  // Between the tenth and the last tenth: the start of the workers and the last items are not what is measured.
  const starts = stage.calls.map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  const [from, to] = [0.1, 0.9].map((share) => Math.floor(starts.length * share)) as [number, number];
  const callsPerSecond = (to - from) / ((starts[to]! - starts[from]!) / 1_000);
  const itemsPerSecond = callsPerSecond / callsOfADebate;
  const ideal = (workers * atOnce) / ((stepsOfADebate * latencyMs) / 1_000);
  return { workers, items, itemsPerSecond, callsPerSecond, ofIdeal: itemsPerSecond / ideal, times: itemsPerSecond / (rows[0]?.itemsPerSecond ?? itemsPerSecond), repeated: repeatedCalls(stage.calls) };
}
