import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AgonError } from '@agonhq/engine/agon-error';
import { runtimePackage } from '../../../model-runtime.ts';

export interface SessionOptions {
  modelFile: string;
  threads: number;
}

export interface SessionData extends SessionOptions {
  /** One number that both threads see: 1 while the runtime is at work. */
  busy: Int32Array<SharedArrayBuffer>;
}

/** Longer than any model takes to load. */
const farewellMs = 20_000;

const open = new Set<SessionData['busy']>();

/** A thread that is ended in the midst of the runtime's work takes the process down with it: `process.exit()` waits. */
function waitForRest(): void {
  for (const busy of open) Atomics.wait(busy, 0, 1, farewellMs);
}

/** The inputs of a model by name (token ids, mask, …), each row after row. */
export interface Batch {
  id: number;
  inputs: Record<string, BigInt64Array<ArrayBuffer>>;
  rows: number;
  /** Of inputs that have several numbers for each token: how many. */
  widths?: Readonly<Record<string, number>>;
}

/** The outputs of a model by name. */
export type Outputs = Record<string, Float32Array>;

export type SessionAnswer =
  | { kind: 'ready' }
  | { kind: 'no-runtime' | 'no-model'; reason: string }
  | { kind: 'outputs'; id: number; outputs: Outputs }
  | { kind: 'failure'; id: number; reason: string };

/** A model that was loaded into a thread of its own. */
export interface Session {
  run(batch: Omit<Batch, 'id'>): Promise<Outputs>;
  close(): Promise<void>;
}

/** The bundler gives the worker's file another name. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './session-worker.ts' : './guard-worker.js',
  import.meta.url,
);

/** Starts the thread and loads the model into it. The thread keeps the process alive only while it works. */
export async function openSession(options: SessionOptions): Promise<Session> {
  // The runtime reports its use to its makers, keeps an id of the machine for it, and reads this only as it loads.
  // Nothing leaves unasked.
  process.env['ORT_DISABLE_TELEMETRY'] ??= '1';
  const busy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(workerFile, { workerData: { ...options, busy } satisfies SessionData, execArgv: [] });
  if (open.size === 0) process.on('exit', waitForRest);
  open.add(busy);
  const waiting = new Map<number, PromiseWithResolvers<Outputs>>();
  const ready = Promise.withResolvers<void>();
  let stopped: AgonError | undefined;
  let count = 0;

  const stop = (error: AgonError) => {
    stopped ??= error;
    ready.reject(stopped);
    for (const { reject } of waiting.values()) reject(stopped);
    waiting.clear();
  };
  const settle = (id: number, how: (waiter: PromiseWithResolvers<Outputs>) => void) => {
    how(waiting.get(id)!);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
  };

  worker.on('message', (answer: SessionAnswer) => {
    if (answer.kind === 'ready') ready.resolve();
    else if (answer.kind === 'outputs') settle(answer.id, ({ resolve }) => resolve(answer.outputs));
    else if (answer.kind === 'failure') settle(answer.id, ({ reject }) => reject(failed(answer.reason)));
    else stop(answer.kind === 'no-runtime' ? noRuntime(answer.reason) : noModel(options.modelFile, answer.reason));
  });
  worker.on('error', (error) => stop(failed(error instanceof Error ? error.message : String(error))));
  worker.on('exit', () => open.delete(busy) && open.size === 0 && process.off('exit', waitForRest));
  worker.on('exit', (code) => stop(failed(`its thread ended with code ${code}`)));

  try {
    await ready.promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  worker.unref();

  return {
    async run(batch) {
      if (stopped) throw stopped;
      count += 1;
      const waiter = Promise.withResolvers<Outputs>();
      waiting.set(count, waiter);
      worker.ref();
      worker.postMessage(
        { ...batch, id: count } satisfies Batch,
        Object.values(batch.inputs).map(({ buffer }) => buffer),
      );
      return waiter.promise;
    },
    async close() {
      await worker.terminate();
    },
  };
}

/** The model in several threads of its own: each batch goes to the one that has least to do. */
async function openLanes(options: SessionOptions, count: number): Promise<Session> {
  const opening = Array.from({ length: count }, () => openSession(options));
  const opened = await Promise.allSettled(opening);
  const lanes = opened.flatMap((one) => (one.status === 'fulfilled' ? [{ session: one.value, busy: 0 }] : []));
  const close = async () => void (await Promise.all(lanes.map(({ session }) => session.close())));
  const failure = opened.find((one) => one.status === 'rejected');
  if (failure) {
    await close();
    throw failure.reason;
  }
  return {
    async run(batch) {
      const lane = lanes.reduce((least, one) => (one.busy < least.busy ? one : least));
      lane.busy += 1;
      try {
        return await lane.session.run(batch);
      } finally {
        lane.busy -= 1;
      }
    },
    close,
  };
}

interface WideningOptions {
  modelFile: string;
  /** Whether many texts come from the start. */
  forMany: boolean;
}

/** A model that answers a single text soonest, until many come: then it may answer more of them. */
export interface WideningSession extends Session {
  /** How many batches are computed side by side. */
  lanes(): number;
  /** Allows for several lanes, which are opened as soon as batches wait for each other. */
  allowLanes(): void;
}

/** Batches that came while others were in hand, from which on it is a stream and no coincidence. */
const stream = 16;

/**
 * Two threads that share a batch end sooner than one and take a tenth to a third more of the cores, the more the longer
 * a text is; the numbers are the same. So there is one session of two threads, and later two of one each.
 */
export async function openWidening({ modelFile, forMany }: WideningOptions): Promise<WideningSession> {
  const threads = Math.min(2, availableParallelism());
  const openMany = () => openLanes({ modelFile, threads: 1 }, threads);
  let session = await (forMany ? openMany() : openSession({ modelFile, threads }));
  let lanes = forMany ? threads : 1;
  let isAllowed = false;
  let waited = 0;
  let widening: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();

  async function widen(): Promise<void> {
    const more = await openMany();
    const before = session;
    [session, lanes] = [more, threads];
    await Promise.allSettled(running);
    await before.close();
  }

  function considerLanes(): void {
    if (!isAllowed || widening || lanes === threads || running.size === 0) return;
    waited += 1;
    if (waited < stream) return;
    // With one lane everything is judged as well, and later.
    widening = widen().catch((error: unknown) => process.emitWarning(error as Error));
  }

  return {
    lanes: () => lanes,
    allowLanes: () => void (isAllowed = true),
    async run(batch) {
      considerLanes();
      const outputs = session.run(batch);
      running.add(outputs);
      try {
        return await outputs;
      } finally {
        running.delete(outputs);
      }
    },
    async close() {
      await widening;
      await session.close();
    },
  };
}

function noRuntime(reason: string): AgonError {
  return new AgonError(
    'missing-guard-runtime',
    `The guard model needs ${runtimePackage} or onnxruntime-node, and neither loads: ${oneLine(reason)}`,
    `Install agon again without \`--omit=optional\`, add \`npm install onnxruntime-node\`, or configure an LLM with ` +
      'AGON_MODEL.',
  );
}

function noModel(modelFile: string, reason: string): AgonError {
  return new AgonError(
    'broken-guard-model',
    `The guard model ${modelFile} does not load: ${oneLine(reason)}`,
    'Install agon again.',
  );
}

function failed(reason: string): AgonError {
  return new AgonError(
    'guard-failed',
    `The guard model stopped: ${oneLine(reason)}`,
    'Try again; if it stays so, install agon again.',
  );
}

function oneLine(text: string): string {
  return text.split('\n')[0]!.trim();
}
