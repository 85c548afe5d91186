import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, Worker } from 'node:worker_threads';
import { seed as defaultSeed } from './draws.ts';
import { fuzzParser, roomForInput, type FuzzOrder, type FuzzReport } from './fuzz-parser.ts';
import { parsers } from './parsers.ts';

/*
 * `npm run fuzz -- --minutes 60 [--parser xlsx] [--seed n] [--out folder]`: damages files for so long, a thread for each
 * parser in turn, and keeps what reached new code to damage it further. What is thrown that is no refusal, what takes
 * longer than 20 s and what takes more than its memory is written to the folder, as small as it could be made.
 */

const hangMs = 20_000;
const memoryMegabytes = 1_500;

if (isMainThread) await main();
else await fuzzParser();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      parser: { type: 'string', multiple: true },
      seed: { type: 'string', default: String(defaultSeed) },
      out: { type: 'string', default: 'fuzz-crashes' },
    },
  });
  const chosen = parsers.filter(({ name }) => values.parser?.includes(name) ?? true);
  if (chosen.length === 0)
    throw new Error(`There is no such parser; there are ${parsers.map(({ name }) => name).join(', ')}.`);
  const share = (Number(values.minutes) * 60_000) / chosen.length;
  let crashes = 0;
  for (const { name } of chosen) {
    const found = await fuzz({ parser: name, seed: Number(values.seed), milliseconds: share }, values.out);
    crashes += found.crashes;
    const covered = found.coverage === null ? 'unknown' : `${(100 * found.coverage).toFixed(1)} %`;
    console.log(
      `${name.padEnd(14)} ${String(found.executions).padStart(8)} executions  ${String(found.kept).padStart(5)} kept  ` +
        `${covered.padStart(7)} of its code  ${found.crashes} crashes`,
    );
  }
  process.exitCode = crashes > 0 ? 1 : 0;
}

/** One parser in a thread; where the thread ends of what it reads, another goes on with another seed. */
async function fuzz(order: Omit<FuzzOrder, 'input' | 'state'>, out: string) {
  const until = performance.now() + order.milliseconds;
  const sum = { executions: 0, kept: 0, crashes: 0, coverage: null as number | null };
  for (let round = 0; performance.now() < until; round += 1) {
    const milliseconds = until - performance.now();
    const { report, crash } = await runThread({ ...order, milliseconds, seed: order.seed + round * 7_919 });
    sum.executions += report.executions;
    sum.kept = Math.max(sum.kept, report.kept);
    if (report.coverage !== null) sum.coverage = Math.max(sum.coverage ?? 0, report.coverage);
    for (const { why, bytes } of [...report.crashes, ...(crash ? [crash] : [])]) {
      sum.crashes += 1;
      await mkdir(out, { recursive: true });
      const file = path.join(out, `${order.parser}-${order.seed}-${sum.crashes}.bin`);
      await writeFile(file, bytes);
      console.log(`${order.parser}: ${why.slice(0, 300)} (${bytes.length} bytes: ${file})`);
    }
  }
  return sum;
}

async function runThread(order: Omit<FuzzOrder, 'input' | 'state'>) {
  const input = new SharedArrayBuffer(roomForInput);
  /** The length of what is being read, and how many were read before it. */
  const state = new Int32Array(new SharedArrayBuffer(8));
  state[0] = -1;
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { ...order, input, state } satisfies FuzzOrder,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  });
  const current = () => Buffer.from(new Uint8Array(input, 0, Math.max(0, state[0]!)));
  const empty: FuzzReport = { executions: 0, kept: 0, coverage: null, crashes: [] };
  const { promise, resolve } = Promise.withResolvers<{
    report: FuzzReport;
    crash?: { why: string; bytes: Uint8Array };
  }>();
  worker.on('message', (report: FuzzReport) => resolve({ report }));
  worker.on('error', (error) =>
    resolve({ report: { ...empty, executions: state[1]! }, crash: { why: String(error), bytes: current() } }),
  );
  let seen = { at: performance.now(), executions: -1 };
  const watch = setInterval(() => {
    if (state[1] !== seen.executions) seen = { at: performance.now(), executions: state[1]! };
    else if (state[0]! >= 0 && performance.now() - seen.at > hangMs)
      resolve({
        report: { ...empty, executions: state[1] },
        crash: { why: `took longer than ${hangMs / 1_000} s`, bytes: current() },
      });
  }, 500);
  try {
    return await promise;
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
