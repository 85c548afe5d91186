import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mediumPost } from './cases/index.ts';
import { withProvider } from './children.ts';
import { scale } from './scale.ts';
import { median } from './statistics.ts';
import { decimals, table } from './table.ts';

/*
 * How long the built command line takes to start: beside a bare `node -e 0`, and through npx beside npx starting a
 * command that does nothing. `--json` prints the numbers alone.
 */

const runs = scale(15, 1);
const goalMs = 150;
const root = path.join(import.meta.dirname, '..', '..', '..');
const agon = path.join(root, 'bin', 'agon.js');
if (!existsSync(path.join(root, 'dist', 'cli.js'))) {
  process.stderr.write('Agon is not built: run `npm run build` first.\n');
  process.exit(1);
}

interface Start {
  name: string;
  command: readonly string[];
  /** The start that this one is compared with. */
  beside: string;
}

const folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-start-'));
try {
  await layOutClone();
  const measured = await withProvider(0, (url) => measure({ FAKE_BASE_URL: `${url}/v1`, AGON_SECRET: 'bench' }));
  if (process.argv.includes('--json')) console.log(JSON.stringify({ runs, goalMs, measured }, null, 2));
  else print(measured);
} finally {
  await rm(folder, { recursive: true });
}

/** What `npm ci` leaves of a clone where npx looks, with a command that does nothing beside ours. */
async function layOutClone(): Promise<void> {
  const commands = path.join(folder, 'node_modules', '.bin');
  await mkdir(commands, { recursive: true });
  await copyFile(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  await symlink(agon, path.join(commands, 'agon'));
  await symlink(process.execPath, path.join(commands, 'node'));
  await writeFile(path.join(commands, 'nothing'), '#!/usr/bin/env node\n');
  await chmod(path.join(commands, 'nothing'), 0o755);
}

/** In turn, so that whatever else the machine does falls on all of them. */
async function measure(environment: Record<string, string>) {
  const [node, nothing] = ['node -e 0', 'npx nothing'];
  const judge = ['moderate', '--json', '--model', 'fake:panel', mediumPost.content.text!];
  const starts: Start[] = [
    { name: node, command: [process.execPath, '-e', '0'], beside: node },
    { name: 'agon --version', command: [process.execPath, agon, '--version'], beside: node },
    { name: 'agon --help', command: [process.execPath, agon, '--help'], beside: node },
    { name: 'agon moderate, provider of 0 ms', command: [process.execPath, agon, ...judge], beside: node },
    { name: nothing, command: ['npx', 'nothing'], beside: nothing },
    { name: 'npx agon --version', command: ['npx', 'agon', '--version'], beside: nothing },
  ];
  const times = new Map(starts.map(({ name }): [string, number[]] => [name, []]));
  for (let run = -1; run < runs; run++) {
    for (const { name, command } of starts) {
      const milliseconds = await timeOf(command, environment);
      if (run >= 0) times.get(name)!.push(milliseconds);
    }
  }
  return starts.map(({ name, beside }) => {
    const [own, others] = [times.get(name)!, times.get(beside)!];
    return { name, beside, medianMs: median(own), beyondMs: median(own.map((time, run) => time - others[run]!)) };
  });
}

function print(measured: Awaited<ReturnType<typeof measure>>): void {
  console.log(
    `Median of ${runs} runs in turn; goal: --version and --help under ${goalMs} ms beyond what they are beside.\n`,
  );
  console.log(
    table(
      ['', 'ms', 'beyond', 'beside'],
      measured.map(({ name, beside, medianMs, beyondMs }) => [
        name,
        decimals(medianMs, 0),
        name === beside ? '' : decimals(beyondMs, 0),
        name === beside ? '' : beside,
      ]),
    ),
  );
}

async function timeOf([program, ...args]: readonly string[], environment: Record<string, string>): Promise<number> {
  const started = performance.now();
  const child = spawn(program!, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, AGON_HOME: folder, ...environment },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}
