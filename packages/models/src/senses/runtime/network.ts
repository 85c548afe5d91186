import type { InferenceSession } from 'onnxruntime-node';
import { importRuntime } from '../../model-runtime.ts';

/** A network with one input. */
export interface Network {
  /** Its outputs in their order. */
  run(
    values: Float32Array | Uint8Array,
    shape: readonly number[],
  ): Promise<readonly [NetworkOutput, ...NetworkOutput[]]>;
}

export interface NetworkOutput {
  values: Float32Array;
  shape: readonly number[];
}

/** How networks are run here. */
export function sessionOptions(threads: number) {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 4,
    // Threads that spin between two operations take the cores from everybody else on the machine.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  } satisfies InferenceSession.SessionOptions;
}

/** Loads a network into this thread, which `run` blocks. */
export async function openNetwork(model: Uint8Array, threads: number): Promise<Network> {
  const runtime = await importRuntime();
  const session: InferenceSession = await runtime.InferenceSession.create(model, sessionOptions(threads));
  const input = session.inputNames[0]!;
  return {
    async run(values, shape) {
      const tensor =
        values instanceof Uint8Array
          ? new runtime.Tensor('uint8', values, shape)
          : new runtime.Tensor('float32', values, shape);
      const computed = await session.run({ [input]: tensor });
      const [first, ...rest] = session.outputNames.map((name) => ({
        values: computed[name]!.data as Float32Array,
        shape: computed[name]!.dims,
      }));
      return [first!, ...rest];
    },
  };
}
