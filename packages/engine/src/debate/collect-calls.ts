import { AsyncLocalStorage } from 'node:async_hooks';
import type { ModelCall } from './model-call.ts';

const listening = new AsyncLocalStorage<ModelCall[]>();

/** Does some work and hears which models it asks on the way: those that fill no seat, and so hand no calls over. */
export async function collectCalls<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; calls: readonly ModelCall[] }> {
  const calls: ModelCall[] = [];
  return { result: await listening.run(calls, work), calls };
}

/** Says that a model was asked, to whoever listens. */
export function reportCall(call: ModelCall): void {
  listening.getStore()?.push(call);
}
