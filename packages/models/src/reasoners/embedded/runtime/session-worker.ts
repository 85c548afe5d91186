/** A thread of its own, because onnxruntime-node's `run` blocks the one it is called in. Knows tensors only. */
import { parentPort, workerData } from 'node:worker_threads';
import { importRuntime } from '../../../model-runtime.ts';
import type { SessionAnswer, Batch, SessionData } from './session.ts';

const { modelFile, threads, busy } = workerData as SessionData;

/** While the runtime works, nobody ends the process. */
async function atWork<Value>(work: () => Promise<Value>): Promise<Value> {
  Atomics.store(busy, 0, 1);
  try {
    return await work();
  } finally {
    Atomics.store(busy, 0, 0);
    Atomics.notify(busy, 0);
  }
}

const answer = (message: SessionAnswer, transfer: ArrayBuffer[] = []) => parentPort!.postMessage(message, transfer);
const told = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Not a moment between the two: an end of the process that begins in it would break the runtime off in the second. */
const { runtime, session } = await atWork(async () => {
  const loaded = await importRuntime().catch((error: unknown) => {
    answer({ kind: 'no-runtime', reason: told(error) });
  });
  const opened = await loaded?.InferenceSession.create(modelFile, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 4,
    // Threads that spin between two operations take the cores from everybody else on the machine.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }).catch((error: unknown) => {
    answer({ kind: 'no-model', reason: told(error) });
  });
  return { runtime: loaded, session: opened };
});

if (runtime && session) {
  const run = async ({ id, inputs, rows, widths = {} }: Batch) => {
    const tensors = Object.entries(inputs).map(([name, values]) => {
      const width = widths[name];
      const shape = width === undefined ? [rows, values.length / rows] : [rows, values.length / rows / width, width];
      return [name, new runtime.Tensor('int64', values, shape)];
    });
    const computed = await atWork(() => session.run(Object.fromEntries(tensors)));
    const outputs = Object.fromEntries(
      Object.entries(computed).map(([name, { data }]) => [name, new Float32Array(data as Float32Array)]),
    );
    answer(
      { kind: 'outputs', id, outputs },
      Object.values(outputs).map(({ buffer }) => buffer),
    );
  };
  parentPort!.on('message', (batch: Batch) => {
    run(batch).catch((error: unknown) => answer({ kind: 'failure', id: batch.id, reason: told(error) }));
  });
  answer({ kind: 'ready' });
}
