import { readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { drawFor } from './draws.ts';
import { injure, parsers, type Parser } from './parsers.ts';
import { readOrRefuse } from './refusal.ts';

/* Damages files of one kind for so long; V8 counts which code they reach. */

export interface FuzzOrder {
  parser: string;
  seed: number;
  milliseconds: number;
  /** What is being read, for those who watch. */
  input: SharedArrayBuffer;
  state: Int32Array;
}

export interface FuzzReport {
  executions: number;
  /** Files that reached new code, and were damaged further. */
  kept: number;
  /** The share of the parser's code that was reached, by characters. */
  coverage: number | null;
  crashes: { why: string; bytes: Uint8Array }[];
}

export const roomForInput = 1_000_000;
const batch = 20;
const mostKept = 300;
const mostCrashes = 20;
const root = path.join(import.meta.dirname, '../..');

export async function fuzzParser(): Promise<void> {
  const { parser: name, seed, milliseconds, input, state } = workerData as FuzzOrder;
  state[0] = -1;
  const parser = parsers.find((each) => each.name === name)!;
  const until = performance.now() + milliseconds;
  const kept: Uint8Array[] = [await parser.good()];
  const crashes: FuzzReport['crashes'] = [];
  const seen = new Set<string>();
  const coverage = await watchCoverage(parser);
  let executions = 0;
  while (performance.now() < until && crashes.length < mostCrashes) {
    const tried: Uint8Array[] = [];
    for (let at = 0; at < batch && performance.now() < until; at += 1) {
      const draws = drawFor(`${name} ${executions}`, seed);
      // What has grown without end by being damaged again and again says nothing of a parser.
      const bytes = injureKept(parser, draws.pick(kept), draws).subarray(0, roomForInput);
      new Uint8Array(input).set(bytes);
      state[0] = bytes.length;
      const why = await findFailure(parser, bytes);
      state[0] = -1;
      executions += 1;
      state[1] = executions;
      if (why === null) tried.push(bytes);
      else if (!seen.has(why)) {
        seen.add(why);
        crashes.push({ why, bytes: await minimise(parser, bytes, why) });
      }
    }
    if ((await coverage.grew()) && kept.length < mostKept) kept.push(...tried.filter(({ length }) => length < 200_000));
  }
  parentPort!.postMessage(
    { executions, kept: kept.length - 1, coverage: coverage.share(), crashes } satisfies FuzzReport,
    [],
  );
}

/** A zip that is damaged beyond opening can only be damaged further as bytes. */
function injureKept(parser: Parser, bytes: Uint8Array, draws: ReturnType<typeof drawFor>): Uint8Array {
  try {
    return injure(parser, bytes, draws);
  } catch {
    return injure({ ...parser, kind: 'bytes' }, bytes, draws);
  }
}

async function findFailure(parser: Parser, bytes: Uint8Array): Promise<string | null> {
  try {
    await readOrRefuse(() => parser.read(bytes));
    return null;
  } catch (error) {
    return String(error).split('\n')[0]!.replace(/\d+/g, '0').slice(0, 200);
  }
}

/** Takes pieces away as long as it fails in the same way. */
async function minimise(parser: Parser, bytes: Uint8Array, why: string): Promise<Uint8Array> {
  let small = bytes;
  let tries = 0;
  for (let size = small.length >> 1; size > 0 && tries < 300; size >>= 1)
    for (let start = 0; start < small.length && tries < 300; tries += 1) {
      const less = Buffer.concat([small.subarray(0, start), small.subarray(start + size)]);
      if ((await findFailure(parser, less)) === why) small = less;
      else start += size;
    }
  return small;
}

async function watchCoverage({ code }: Parser) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  /** By file, which characters were reached. */
  const reached = new Map<string, Uint8Array>();
  let before = 0;

  const take = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    for (const script of result) {
      if (!script.url.startsWith('file:')) continue;
      const file = path.relative(root, fileURLToPath(script.url));
      if (!code.some((place) => file.startsWith(place))) continue;
      if (!reached.has(file)) reached.set(file, new Uint8Array(readFileSync(path.join(root, file), 'utf8').length));
      mark(reached.get(file)!, script.functions);
    }
    return reached.values().reduce((sum, marks) => sum + marks.reduce((count, each) => count + each, 0), 0);
  };

  return {
    async grew() {
      const now = await take();
      const more = now > before;
      before = now;
      return more;
    },
    share() {
      const all = reached.values().reduce((sum, { length }) => sum + length, 0);
      return all === 0 ? null : before / all;
    },
  };
}

/** Ranges come from the outside in, and an inner one that was not reached takes its part away. */
function mark(reached: Uint8Array, functions: readonly Profiler.FunctionCoverage[]): void {
  const now = new Uint8Array(reached.length);
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) now.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  for (const [at, each] of now.entries()) reached[at]! |= each;
}
