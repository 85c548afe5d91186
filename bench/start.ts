import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mediumPost } from './cases/index.ts';
import { withProvider } from './children.ts';
import { median } from './statistics.ts';
import { decimals, table } from './table.ts';

/* How long the built command line takes to start, beside a bare `node -e 0`. `--json` prints the numbers alone. */

const runs = 15;
const goalMs = 150;
const agon = fileURLToPath(new URL('../bin/agon.js', import.meta.url));
if (!existsSync(new URL('../dist/cli.js', import.meta.url))) {
  process.stderr.write('Agon is not built: run `npm run build` first.\n');
  process.exit(1);
}

const measured = await withProvider(0, async (url) => {
  const judge = [agon, 'moderate', '--json', '--model', 'fake:panel', mediumPost.content.text!];
  const commands: { name: string; args: string[] }[] = [
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: 'agon --version', args: [agon, '--version'] },
    { name: 'agon --help', args: [agon, '--help'] },
    { name: 'agon moderate, provider of 0 ms', args: judge },
  ];
  const times = commands.map((): number[] => []);
  // Alternating, so that whatever else the machine does falls on all of them.
  for (let run = -1; run < runs; run++) {
    for (const [index, { args }] of commands.entries()) {
      const milliseconds = await timeOf(args, { FAKE_BASE_URL: `${url}/v1`, AGON_SECRET: 'bench' });
      if (run >= 0) times[index]!.push(milliseconds);
    }
  }
  return commands.map(({ name }, index) => ({
    name,
    medianMs: median(times[index]!),
    beyondMs: median(times[index]!) - median(times[0]!),
  }));
});

if (process.argv.includes('--json')) console.log(JSON.stringify({ runs, goalMs, measured }, null, 2));
else {
  console.log(
    `Median of ${runs} alternating runs; goal: under ${goalMs} ms beyond bare Node for --version and --help.\n`,
  );
  console.log(
    table(
      ['', 'ms', 'beyond bare Node'],
      measured.map(({ name, medianMs, beyondMs }) => [name, decimals(medianMs, 0), decimals(beyondMs, 0)]),
    ),
  );
}

async function timeOf(args: readonly string[], environment: Record<string, string>): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}
