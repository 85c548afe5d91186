import type { ChildProcess } from 'node:child_process';
import { messageOf, startChild } from './children.ts';
import { workload, type Measurement, type Order } from './measure.ts';

/** A way to hold the debate, in a process of its own. */
export interface Rival {
  name: string;
  module: URL;
  args: string[];
}

export interface Measured {
  name: string;
  one: Measurement[];
  many: Measurement[];
}

/** Measures all rivals in turn, repetition by repetition: whatever else the machine does falls on all of them. */
export async function measureInTurn(rivals: readonly Rival[]): Promise<Measured[]> {
  const started = rivals.map(({ name, module, args }) => ({
    name,
    child: startChild(module, ...args),
    one: [] as Measurement[],
    many: [] as Measurement[],
  }));
  try {
    for (const { child } of started) await obey(child, 'warm-up');
    for (let count = 0; count < workload.oneByOne; count++)
      for (const { child, one } of started) one.push(await obey(child, 'one'));
    for (let count = 0; count < workload.repetitions; count++)
      for (const { child, many } of started) many.push(await obey(child, 'many'));
    return started.map(({ name, one, many }) => ({ name, one, many }));
  } finally {
    for (const { child } of started) if (child.connected) child.send('end' satisfies Order);
  }
}

async function obey(child: ChildProcess, order: Order): Promise<Measurement> {
  const answer = messageOf<Measurement>(child);
  child.send(order);
  return answer;
}
