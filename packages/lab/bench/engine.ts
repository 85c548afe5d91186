import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { captureCalls } from './capture.ts';
import { bodiesOf } from './captured-bodies.ts';
import { mediumPost } from './cases/index.ts';
import { withProvider } from './children.ts';
import { installLangGraph } from './install-langgraph.ts';
import { workload } from './measure.ts';
import { measureInTurn, type Measured, type Rival } from './rivals.ts';
import { median, percentile } from './statistics.ts';
import { decimals, table, whole } from './table.ts';
import { isShort } from './scale.ts';

/*
 * What the engine adds to the calls of a debate: Agon, the same graph in LangGraph.js, and the same calls with plain
 * fetch, each in a process of its own, against a fake provider in yet another one. `--json` prints the numbers alone.
 */

const latencyMs = 50;
const callsOfADebate = 6;
const deep = { together: 4, alternate: 6 };
type Turns = keyof typeof deep;

interface Row {
  name: string;
  turns: Turns;
  oneByOne: { medianMs: number; p95Ms: number };
  atOnce: { wallMs: number; cpuMsPerCall: number };
  peakRssMb: number;
  /** Wall time of one debate over its critical path: of 50 ms a call, and of what bare calls take here. */
  overNominal: number;
  overBare: number;
  /** The ideal time of many at once over the measured one: of full waves of 50 ms calls, and of bare calls here. */
  ofIdeal: number;
  ofBare: number;
}

const folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-'));
const bodies = path.join(folder, 'bodies.json');
const before = loadavg()[0]!;
const rows: Row[] = [];
try {
  await writeFile(bodies, JSON.stringify(bodiesOf(await captureCalls(mediumPost, false))));
  const langGraph = isShort ? null : await installLangGraph();
  await withProvider(latencyMs, async (url) => {
    for (const turns of ['together', 'alternate'] as const) {
      const measured = await measureInTurn(rivalsOf(url, turns, langGraph));
      rows.push(...measured.map((rival) => row(rival, turns, measured[0]!)));
    }
  });
} finally {
  await rm(folder, { recursive: true });
}
const load = { before, after: loadavg()[0]! };

if (process.argv.includes('--json')) console.log(JSON.stringify({ latencyMs, workload, load, rows }, null, 2));
else print();

/** Bare calls first: they are what the others are compared with. */
function rivalsOf(url: string, turns: Turns, langGraph: string | null): Rival[] {
  const rivals = [
    { name: `bare fetch, ${turns}`, module: new URL('./engine-bare.ts', import.meta.url), args: [url, turns, bodies] },
    { name: `Agon, ${turns}`, module: new URL('./engine-agon.ts', import.meta.url), args: [url, turns] },
  ];
  if (turns === 'alternate' || langGraph === null) return rivals;
  const module = new URL('./engine-langgraph.ts', import.meta.url);
  return [
    ...rivals,
    { name: 'LangGraph.js, plain fetch', module, args: [url, bodies, langGraph, 'fetch'] },
    { name: 'LangGraph.js, its OpenAI client', module, args: [url, bodies, langGraph, 'client'] },
  ];
}

function row({ name, one, many }: Measured, turns: Turns, bare: Measured): Row {
  const criticalPath = deep[turns] * latencyMs;
  const waves = Math.ceil(workload.atOnce / workload.concurrency);
  const walls = one.map(({ wallMs }) => wallMs);
  const manyWall = median(many.map(({ wallMs }) => wallMs));
  return {
    name,
    turns,
    oneByOne: { medianMs: median(walls), p95Ms: percentile(walls, 0.95) },
    atOnce: {
      wallMs: manyWall,
      cpuMsPerCall: median(many.map(({ cpuMs }) => cpuMs)) / (workload.atOnce * callsOfADebate),
    },
    peakRssMb: Math.max(...many.map(({ peakRssMb }) => peakRssMb)),
    overNominal: median(walls) / criticalPath,
    overBare: median(one.map(({ wallMs }, index) => wallMs / bare.one[index]!.wallMs)),
    ofIdeal: (waves * criticalPath) / manyWall,
    ofBare: median(many.map(({ wallMs }, index) => bare.many[index]!.wallMs / wallMs)),
  };
}

function print(): void {
  const { atOnce, concurrency, oneByOne, repetitions } = workload;
  console.log(
    `${latencyMs} ms a call; load of the machine before and after: ${decimals(load.before, 2)}, ${decimals(load.after, 2)}\n`,
  );
  console.log(`One debate at a time, ${oneByOne} debates:\n`);
  console.log(
    table(
      ['', 'p50 ms', 'p95 ms', 'over 50 ms calls', 'over bare calls'],
      rows.map(({ name, oneByOne: one, overNominal, overBare }) => [
        name,
        decimals(one.medianMs, 1),
        decimals(one.p95Ms, 1),
        decimals(overNominal, 3),
        decimals(overBare, 3),
      ]),
    ),
  );
  console.log(`\n${atOnce} debates, ${concurrency} at once, median of ${repetitions}:\n`);
  console.log(
    table(
      ['', 'wall ms', 'of full waves', 'of bare calls', 'CPU ms a call', 'peak memory MB'],
      rows.map(({ name, atOnce: many, ofIdeal, ofBare, peakRssMb }) => [
        name,
        whole(many.wallMs),
        decimals(ofIdeal, 3),
        decimals(ofBare, 3),
        decimals(many.cpuMsPerCall, 2),
        whole(peakRssMb),
      ]),
    ),
  );
}
