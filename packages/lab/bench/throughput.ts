import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf, startChild, withProvider } from './children.ts';
import { median } from './statistics.ts';
import { decimals, table, whole } from './table.ts';
import type { Count } from './throughput-process.ts';
import { scale } from './scale.ts';

/*
 * Calls a second of one process when a model allows 64 at once and takes 100 ms for each, over the ideal of 640:
 * `npm run bench:throughput [-- --json]`. Each way in a process of its own, the provider in another.
 */

const latencyMs = 100;
const atOnce = 64;
const ideal = (atOnce * 1_000) / latencyMs;
const [warmUpMs, windowMs, windows] = [scale(3_000, 300), scale(2_000, 300), scale(5, 1)];

interface Row {
  name: string;
  callsPerSecond: number;
  ofIdeal: number;
  cpuMsPerCall: number;
}

const ways = [
  { name: 'moderation, debate', job: 'debate', ledger: false },
  { name: 'moderation, debate, in a SQLite ledger', job: 'debate', ledger: true },
  { name: 'evaluation, single judge', job: 'judge', ledger: false },
  { name: 'evaluation, single judge, in a SQLite ledger', job: 'judge', ledger: true },
];

const folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-'));
const before = loadavg()[0]!;
const rows: Row[] = [];
try {
  await withProvider(latencyMs, async (url) => {
    for (const way of ways) rows.push(await measure(url, way));
  });
} finally {
  await rm(folder, { recursive: true });
}
const load = { before, after: loadavg()[0]! };

if (process.argv.includes('--json')) console.log(JSON.stringify({ latencyMs, atOnce, ideal, load, rows }, null, 2));
else {
  console.log(
    `${atOnce} calls at once of ${latencyMs} ms; ideal: ${ideal} calls/s; load of the machine before and after: ` +
      `${decimals(load.before, 2)}, ${decimals(load.after, 2)}\n`,
  );
  console.log(
    table(
      ['', 'calls/s', 'of the ideal', 'CPU ms a call'],
      rows.map(({ name, callsPerSecond, ofIdeal, cpuMsPerCall }) => [
        name,
        whole(callsPerSecond),
        decimals(ofIdeal, 3),
        decimals(cpuMsPerCall, 2),
      ]),
    ),
  );
}

async function measure(url: string, { name, job, ledger }: (typeof ways)[number]): Promise<Row> {
  const file = ledger ? [path.join(folder, `${job}.sqlite`)] : [];
  const child = startChild(new URL('./throughput-process.ts', import.meta.url), url, job, String(atOnce), ...file);
  const count = async (milliseconds: number): Promise<Count> => {
    const counted = messageOf<Count>(child);
    child.send(milliseconds);
    return counted;
  };
  await messageOf(child);
  await count(warmUpMs);
  const counts: Count[] = [];
  for (let window = 0; window < windows; window++) counts.push(await count(windowMs));
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
  const callsPerSecond = median(counts.map(({ calls, wallMs }) => (calls * 1_000) / wallMs));
  return {
    name,
    callsPerSecond,
    ofIdeal: callsPerSecond / ideal,
    cpuMsPerCall: median(counts.map(({ calls, cpuMs }) => cpuMs / calls)),
  };
}
