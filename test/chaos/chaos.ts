import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import buildIfOlder from '../build.ts';
import { callApart, mayMount } from './apart.ts';
import { holdTown } from './hold-town.ts';
import { writeReport } from './report.ts';

/*
 * `npm run chaos -- --minutes 30 [--seed n] [--out folder]`: a town of servers, workers, PostgreSQL and a provider, all
 * of them real processes and sockets of our own, struck at random by a seed while clients go on working; at the end
 * everything is healed, and what must hold whatever happened is looked for. Exits with 1 where it does not.
 */

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      out: { type: 'string', default: 'chaos-report' },
    },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes >= 1) || !Number.isInteger(seed)) throw new Error('--minutes is at least 1, --seed a whole number.');
  buildIfOlder();
  if (await callApart()) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-chaos-'));
  await chmod(folder, 0o711);
  // Many processes load the same code.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
  try {
    const { report, record } = await holdTown({ folder, seed, minutes, mayMount: await mayMount(folder), say });
    const file = await writeReport(values.out, report, record);
    for (const { invariant, what } of report.breaches.slice(0, 40)) say(`BROKEN ${invariant}: ${what}`);
    say(
      report.breaches.length === 0
        ? `No invariant was broken in ${minutes} minutes with seed ${seed}. Report: ${file}`
        : `${report.breaches.length} breaches. Report: ${file}. Repeat: ${report.repeat}`,
    );
    process.exitCode = report.breaches.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const began = performance.now();

function say(words: string): void {
  const seconds = Math.floor((performance.now() - began) / 1_000);
  console.log(`${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}  ${words}`);
}

await main();
