import { createAgon } from '@agonhq/core';
import { longText } from './embedded-texts.ts';
import { median } from './statistics.ts';
import { decimals, table } from './table.ts';
import { padding } from './wrapper-list.ts';

/*
 * `npm run bench:long`: what a long text and an exchange with a long response take, beside a short text in the same
 * run. `-- --short` measures each once.
 */

const repetitions = process.argv.includes('--short') ? 1 : 5;
const agon = await createAgon({}, { environment: {}, secret: 'bench' });
let made = 0;

const workloads = [
  { name: 'a text of 30 words', run: () => agon.moderate(padding(30, made++ * 7)) },
  { name: 'a text of 200 words', run: () => agon.moderate(`${longText(made++)} ${made}`) },
  { name: 'a text of 4,200 words', run: () => agon.moderate(`${padding(4200, made++)} ${made}`) },
  {
    name: 'an exchange with a response of 2,500 characters',
    run: () =>
      agon.evaluate({
        prompt: `What could I write about my week? (${made++})`,
        response: `${padding(600, made).slice(0, 2490)} ${made}`,
      }),
  },
];

const rows: { name: string; wall: number; cpu: number }[] = [];
for (const { name, run } of workloads) {
  await run();
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const cpu = process.cpuUsage();
    const started = performance.now();
    await run();
    walls.push(performance.now() - started);
    const { user, system } = process.cpuUsage(cpu);
    cpus.push((user + system) / 1_000);
  }
  rows.push({ name, wall: median(walls), cpu: median(cpus) });
}
console.log(
  table(
    ['', 'ms', 'ms of CPU', 'CPU beside the first'],
    rows.map(({ name, wall, cpu }) => [name, decimals(wall, 0), decimals(cpu, 0), decimals(cpu / rows[0]!.cpu, 1)]),
  ),
);
