import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open as openFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { openLibrary, type KeptPrecedent, type PrecedentStore } from '@agonhq/models/precedents';
import { median } from './statistics.ts';
import { decimals, table, whole } from './table.ts';
import { vectorsOf, type VectorKind } from './precedent-vectors.ts';
import { isShort, scale } from './scale.ts';

/*
 * How long a search among many precedents takes, how many of the truly nearest ten it finds, and what memory the
 * process needs for it. Each size runs in a process of its own; the vectors lie in a file, as they do in a ledger.
 * `--json` prints the numbers alone, `--count N [--kind topics|seeds]` measures one size.
 */

const dimensions = 384;
const queries = scale(100, 30);
const warmUp = 20;
/** As many as the debate asks for when all its seats are embedded. */
const limit = 30;
const goals = { p50Ms: 5, recall: 0.99, peakRssMb: 600 };
const workloads: { count: number; kind: VectorKind }[] = isShort
  ? [{ count: 500, kind: 'topics' }]
  : [
      { count: 1_000, kind: 'topics' },
      { count: 19_999, kind: 'topics' },
      { count: 30_000, kind: 'seeds' },
      { count: 100_000, kind: 'topics' },
    ];

interface Result {
  count: number;
  kind: VectorKind;
  search: string;
  buildMs: number;
  reopenMs: number;
  p50Ms: number;
  p95Ms: number;
  /** What a search takes of a processor: the same on a machine that others keep busy. */
  cpuMs: number;
  nearestP50Ms: number;
  recall: number;
  peakRssMb: number;
  searchRssMb: number;
}

const [, file, ...given] = process.argv;
if (given[0] === '--measure') process.stdout.write(JSON.stringify(await measure(given[1]!, Number(given[2]))));
else await compare();

async function compare(): Promise<void> {
  const before = loadavg()[0]!;
  const results: Result[] = [];
  const said = (name: string) => (given.includes(name) ? given[given.indexOf(name) + 1] : undefined);
  const only = said('--count');
  for (const { count, kind } of only === undefined
    ? workloads
    : [{ count: Number(only), kind: (said('--kind') ?? 'topics') as VectorKind }]) {
    process.stderr.write(`${whole(count)} ${kind} …\n`);
    results.push(await measuredApart(count, kind));
    process.stderr.write(`${JSON.stringify(results.at(-1))}\n`);
  }
  if (given.includes('--json'))
    return console.log(JSON.stringify({ load: { before, after: loadavg()[0] }, goals, results }, null, 2));
  console.log(
    `Load of the machine before and after: ${decimals(before, 2)}, ${decimals(loadavg()[0]!, 2)}. Goals at ` +
      `100,000: p50 of ${goals.p50Ms} ms, recall@10 of ${goals.recall}, ${goals.peakRssMb} MB.\n`,
  );
  console.log(
    table(
      [
        'precedents × 384',
        'search',
        'made ready s',
        'opened again s',
        'p50 ms',
        'p95 ms',
        'CPU ms',
        'of p50 vectors',
        'recall@10',
        'RSS MB',
        'peak MB',
      ],
      results.map((row) => [
        `${whole(row.count)}, ${row.kind}`,
        row.search,
        decimals(row.buildMs / 1_000, 1),
        decimals(row.reopenMs / 1_000, 1),
        decimals(row.p50Ms, 2),
        decimals(row.p95Ms, 2),
        decimals(row.cpuMs, 2),
        decimals(row.nearestP50Ms, 2),
        decimals(row.recall, 4),
        whole(row.searchRssMb),
        whole(row.peakRssMb),
      ]),
    ),
  );
}

async function measuredApart(count: number, kind: VectorKind): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-'));
  try {
    const make = await vectorsOf(kind, dimensions);
    await writeVectors(path.join(folder, 'vectors'), count, make);
    await writeVectors(path.join(folder, 'queries'), queries, make);
    const child = spawn(process.execPath, ['--expose-gc', file!, '--measure', folder, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the measurement of ${count} ended with ${code}`);
    return { ...(JSON.parse(output) as Omit<Result, 'kind'>), kind };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(folder: string, count: number): Promise<Omit<Result, 'kind'>> {
  const vectorFile = path.join(folder, 'vectors');
  const wanted = rowsOf(await readFloats(path.join(folder, 'queries')));
  const store = storeOver(vectorFile, count);
  let asked = wanted[0]!;
  const embedder = { model: 'bench', dimensions, embed: async () => asked, leastSimilarity: -1, knowsSeeds: true };
  const options = { seeds: [], store, embedder, indexFolder: folder };

  const started = performance.now();
  const library = await openLibrary(options);
  const { search, problem } = await library.health();
  if (problem !== null) throw new Error(problem);
  const buildMs = performance.now() - started;

  const found: string[][] = [];
  const times: number[] = [];
  let before = process.cpuUsage();
  for (const [index, vector] of wanted.entries()) {
    if (index === warmUp) before = process.cpuUsage();
    asked = vector;
    const from = performance.now();
    const { precedents } = await library.search({
      text: `a case that is like no other, ${index}`,
      limit,
      signal: new AbortController().signal,
    });
    times.push(performance.now() - from);
    found.push(precedents.slice(0, 10).map(({ id }) => id));
  }
  const { user, system: kernel } = process.cpuUsage(before);
  globalThis.gc?.();
  const searchRssMb = process.memoryUsage().rss / 2 ** 20;
  const peakRssMb = process.resourceUsage().maxRSS / 1_024;

  const again = performance.now();
  await (await openLibrary(options)).health();
  const reopenMs = performance.now() - again;
  const { recall, nearestP50Ms } = await checked(vectorFile, wanted, found, search === 'index' ? folder : null);
  const sorted = times.slice(warmUp).sort((a, b) => a - b);
  return {
    count,
    search,
    buildMs,
    reopenMs,
    p50Ms: median(sorted),
    p95Ms: sorted[Math.floor(sorted.length * 0.95)]!,
    cpuMs: (user + kernel) / 1_000 / sorted.length,
    nearestP50Ms,
    recall,
    peakRssMb,
    searchRssMb,
  };
}

async function writeVectors(name: string, count: number, make: () => Float32Array): Promise<void> {
  const out = await openFile(name, 'w');
  for (let at = 0; at < count; at += 1_000) {
    const block = new Float32Array(Math.min(1_000, count - at) * dimensions);
    for (let row = 0; row * dimensions < block.length; row += 1) block.set(make(), row * dimensions);
    await out.write(new Uint8Array(block.buffer));
  }
  await out.close();
}

async function readFloats(name: string): Promise<Float32Array> {
  const bytes = await readFile(name);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

async function readRows(name: string, from: number, to: number): Promise<Float32Array[]> {
  const handle = await openFile(name);
  const floats = new Float32Array((to - from) * dimensions);
  await handle.read(new Uint8Array(floats.buffer), 0, floats.byteLength, from * dimensions * 4);
  await handle.close();
  return rowsOf(floats);
}

function rowsOf(floats: Float32Array): Float32Array[] {
  return Array.from({ length: floats.length / dimensions }, (_, row) =>
    floats.subarray(row * dimensions, (row + 1) * dimensions),
  );
}

/** A store that reads vectors from a file, as a database does. */
function storeOver(vectorFile: string, count: number): PrecedentStore {
  const kept = (index: number): KeptPrecedent => ({
    id: `p-${index}`,
    label: index % 2 ? 'safe' : 'unsafe',
    category: 'violence',
    clause: 'violence.plan',
    summary: `Case ${index} in a line.`,
    cues: [`cue ${index}`, 'another cue'],
    why: `What made case ${index} so.`,
    text: `The text of case ${index}, ${`${index.toString(36)} `.repeat(30)}`,
    policy: null,
    provenance: { kind: 'learnt', subject: `sha256:${index}` },
    confirmedBy: 'bench',
    state: 'active',
    overruledBy: null,
    expiresAt: null,
    createdAt: '2026-11-15T00:00:00.000Z',
  });
  return {
    keepPrecedents: () => Promise.reject(new Error('not in this bench')),
    keepPrecedentsIf: () => Promise.reject(new Error('not in this bench')),
    findPrecedent: async (id) => kept(Number(id.slice(2))),
    findKnownIds: async (ids) => new Set(ids.filter((id) => id.startsWith('p-'))),
    async *listPrecedents() {
      for (let index = 0; index < count; index += 1) yield kept(index);
    },
    readVersion: async () => `bench-${count}`,
    async readVectors(_model, ids) {
      // They are asked for in the order in which they lie.
      const [from, to] = ids ? [Number(ids[0]!.slice(2)), Number(ids.at(-1)!.slice(2)) + 1] : [0, count];
      return new Map((await readRows(vectorFile, from, to)).map((row, index) => [`p-${from + index}`, row]));
    },
    listEmbedded: async () => new Set(Array.from({ length: count }, (_, index) => `p-${index}`)),
    keepVectors: () => Promise.reject(new Error('not in this bench')),
  };
}

/** How many of the truly nearest were found, by a plain scan of the file; and how long the vectors alone take. */
async function checked(
  vectorFile: string,
  wanted: readonly Float32Array[],
  found: readonly string[][],
  indexFolder: string | null,
) {
  const vectors = new Map(rowsOf(await readFloats(vectorFile)).map((vector, index) => [`p-${index}`, vector]));
  const { exactSearch } = await import('@agonhq/models/precedents/vector-search');
  const { loadIndex } = await import('@agonhq/models/precedents/vector-index');
  const exact = exactSearch(vectors);
  const timed = indexFolder === null ? exact : (await loadIndex(indexFolder, 'bench'))!;
  const times: number[] = [];
  let hits = 0;
  for (const [index, vector] of wanted.entries()) {
    const truth = new Set(exact.nearest(vector, 10, -1).map(({ id }) => id));
    hits += found[index]!.filter((id) => truth.has(id)).length;
    const from = performance.now();
    timed.nearest(vector, 64, -1);
    times.push(performance.now() - from);
  }
  return { recall: hits / (wanted.length * 10), nearestP50Ms: median(times) };
}
