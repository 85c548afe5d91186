import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, startChild } from './children.ts';
import type { Took, Work } from './embedded-process.ts';
import { longText, shortText } from './embedded-texts.ts';
import { median } from './statistics.ts';
import { decimals, table, whole } from './table.ts';
import { scale } from './scale.ts';

/*
 * What the debate of the embedded reasoner adds to the inference of its model, how many items it judges in a second,
 * how long the first verdict takes, and how much memory a batch needs. `--json` prints the numbers alone.
 */

const repetitions = scale(4, 1);
const starts = scale(7, 1);
const goals = { ratio: 1.5, itemsPerSecond: 60, coldMs: 1_200, peakRssMb: 500 };
const workloads = [
  { name: 'short, one by one', text: shortText, items: scale(60, 2), concurrency: 1 },
  { name: 'short, 16 at once', text: shortText, items: scale(160, 4), concurrency: 16 },
  { name: 'short, 32 at once', text: shortText, items: scale(160, 4), concurrency: 32 },
  { name: 'long, 32 at once', text: longText, items: scale(24, 2), concurrency: 32 },
];
const batch = scale(500, 10);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const agon = path.join(root, 'bin', 'agon.js');
if (!existsSync(path.join(root, 'dist', 'cli.js'))) {
  process.stderr.write('Agon is not built: run `npm run build` first.\n');
  process.exit(1);
}

const folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-'));
// No settings of this machine: nothing but the embedded reasoner can be chosen.
const environment: Record<string, string> = { PATH: process.env['PATH']!, HOME: folder, AGON_SECRET: 'bench' };
const before = loadavg()[0]!;
const result = await (async () => {
  try {
    const debates = await measureDebates();
    const cold = await measureStarts();
    return { load: { before, after: 0 }, goals, debates, cold, batch: await measureBatch() };
  } finally {
    await rm(folder, { recursive: true });
  }
})();
result.load.after = loadavg()[0]!;

if (process.argv.includes('--json')) console.log(JSON.stringify(result, null, 2));
else print();

/**
 * Bare inference and whole debates over the same texts, block by block in turn, each in a process that has seen none
 * of them.
 */
async function measureDebates() {
  const process = new URL('./embedded-process.ts', import.meta.url);
  const rivals = [startChild(process, 'bare'), startChild(process, 'agon')] as const;
  const take = async (rival: (typeof rivals)[number], work: Work) => {
    const took = messageOf<Took>(rival);
    rival.send(work);
    return took;
  };
  try {
    for (const rival of rivals) await messageOf(rival);
    const [bare, debating] = rivals;
    let made = 0;
    const next = ({ text, items, concurrency }: (typeof workloads)[number]): Work => ({
      texts: Array.from({ length: items }, () => text(made++)),
      concurrency,
    });
    for (const rival of rivals) await take(rival, next(workloads[1]!));
    const rows = workloads.map((workload) => ({ workload, pairs: [] as { bare: Took; whole: Took }[] }));
    for (let repetition = 0; repetition < repetitions; repetition++) {
      for (const { workload, pairs } of rows) {
        const work = next(workload);
        pairs.push({ bare: await take(bare, work), whole: await take(debating, work) });
      }
    }
    return rows.map(({ workload: { name, items, concurrency }, pairs }) => ({
      name,
      items: items * repetitions,
      concurrency,
      bareMs: median(pairs.map(({ bare: { wallMs } }) => wallMs)) / items,
      wholeMs: median(pairs.map(({ whole: { wallMs } }) => wallMs)) / items,
      ratio: median(pairs.map((pair) => pair.whole.wallMs / pair.bare.wallMs)),
      cpuRatio: median(pairs.map((pair) => pair.whole.cpuMs / pair.bare.cpuMs)),
      itemsPerSecond: (items * 1_000) / median(pairs.map(({ whole: { wallMs } }) => wallMs)),
    }));
  } finally {
    for (const rival of rivals) if (rival.connected) rival.disconnect();
  }
}

/** The first verdict of a process, beyond what starts anyway. */
async function measureStarts() {
  // A project in which Agon is installed, for npx.
  await mkdir(path.join(folder, 'node_modules', '.bin'), { recursive: true });
  await mkdir(path.join(folder, 'node_modules', '@agonhq'));
  await symlink(root, path.join(folder, 'node_modules', '@agonhq', 'agon'), 'dir');
  await symlink(agon, path.join(folder, 'node_modules', '.bin', 'agon'));
  await writeFile(path.join(folder, 'package.json'), '{}');
  const judge = ['moderate', shortText(1), '--json'];
  const commands = [
    { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
    { name: 'agon moderate', command: [process.execPath, agon, ...judge], beyond: 0 },
    { name: 'npx agon --version', command: ['npx', 'agon', '--version'] },
    { name: 'npx agon moderate', command: ['npx', 'agon', ...judge], beyond: 2 },
  ];
  const times = commands.map((): number[] => []);
  for (let run = -1; run < starts; run++) {
    for (const [index, { command }] of commands.entries()) {
      const milliseconds = await timeOf(command);
      if (run >= 0) times[index]!.push(milliseconds);
    }
  }
  return commands.map(({ name, beyond }, index) => {
    const beyondMs =
      beyond === undefined ? null : median(times[index]!.map((time, run) => time - times[beyond]![run]!));
    return { name, medianMs: median(times[index]!), beyondMs };
  });
}

/** `agon moderate --file` over many items: the most memory its process ever had. */
async function measureBatch() {
  const [items, memory] = [path.join(folder, 'items.jsonl'), path.join(folder, 'memory')];
  await writeFile(
    items,
    Array.from({ length: batch }, (_, id) => `${JSON.stringify({ id: String(id), text: shortText(id) })}\n`).join(''),
  );
  const report = `import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(process.env.AGON_BENCH_MEMORY,String(process.resourceUsage().maxRSS)))`;
  const command = [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(report)}`, agon];
  const run = [
    'moderate',
    '--file',
    items,
    '--out',
    path.join(folder, 'results.jsonl'),
    '--concurrency',
    '32',
    '--quiet',
  ];
  const wallMs = await timeOf([...command, ...run], { AGON_BENCH_MEMORY: memory });
  return { items: batch, wallMs, peakRssMb: Number(await readFile(memory, 'utf8')) / 1_024 };
}

async function timeOf([program, ...args]: readonly string[], more: Record<string, string> = {}): Promise<number> {
  const started = performance.now();
  const child = spawn(program!, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, ...more },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}

function print(): void {
  const {
    load,
    debates,
    cold,
    batch: { items, wallMs, peakRssMb },
  } = result;
  console.log(`Load of the machine before and after: ${decimals(load.before, 2)}, ${decimals(load.after, 2)}\n`);
  console.log(
    `The whole debate beside its model's inference (goals: a ratio of ${goals.ratio} at most, ${goals.itemsPerSecond} ` +
      'short items a second):\n',
  );
  console.log(
    table(
      ['', 'inference ms', 'debate ms', 'ratio', 'ratio of CPU', 'items a second'],
      debates.map(({ name, bareMs, wholeMs, ratio, cpuRatio, itemsPerSecond }) => [
        name,
        decimals(bareMs, 1),
        decimals(wholeMs, 1),
        decimals(ratio, 2),
        decimals(cpuRatio, 2),
        decimals(itemsPerSecond, 0),
      ]),
    ),
  );
  console.log(
    `\nThe first verdict of a process, median of ${starts} (goal: ${whole(goals.coldMs)} ms beyond at most):\n`,
  );
  console.log(
    table(
      ['', 'ms', 'beyond'],
      cold.map(({ name, medianMs, beyondMs }) => [name, whole(medianMs), beyondMs === null ? '' : whole(beyondMs)]),
    ),
  );
  console.log(
    `\n\`agon moderate --file\` over ${items} short items: ${decimals(wallMs / 1_000, 1)} s from start to end, ${whole(peakRssMb)} ` +
      `MB at most (goal: ${goals.peakRssMb}).`,
  );
}
