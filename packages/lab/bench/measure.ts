import { scale } from './scale.ts';

/* Inside a measured process: it waits to be told what to run, so that rivals can be measured in turn. */

export type Order = 'warm-up' | 'one' | 'many' | 'end';

/** One measurement: wall and CPU time, and the most memory the process ever had. */
export interface Measurement {
  wallMs: number;
  cpuMs: number;
  peakRssMb: number;
}

export const workload = {
  warmUp: scale(200, 4),
  oneByOne: scale(30, 2),
  atOnce: scale(200, 8),
  concurrency: 32,
  repetitions: scale(9, 2),
};

/** Answers every order with a measurement; `hold` is given a number that no other debate has. */
export function serveMeasurements(hold: (index: number) => Promise<unknown>): void {
  let debates = 0;
  const next = () => hold(debates++);
  process.on('message', (order: Order) => {
    if (order === 'end') process.disconnect();
    else void measured(() => run(order, next)).then((measurement) => process.send!(measurement));
  });
}

async function run(order: Exclude<Order, 'end'>, next: () => Promise<unknown>): Promise<void> {
  if (order === 'one') await next();
  else await atOnce(order === 'many' ? workload.atOnce : workload.warmUp, workload.concurrency, next);
}

async function measured(work: () => Promise<unknown>): Promise<Measurement> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1_000, peakRssMb: process.resourceUsage().maxRSS / 1_024 };
}

async function atOnce(count: number, concurrency: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}
