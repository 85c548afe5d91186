import { Worker } from 'node:worker_threads';
import { availableParallelism } from 'node:os';
import { AgonError } from '../../errors.ts';
import type { Pixels } from '../pixels.ts';
import type { Ask, Sight } from '../sight.ts';
import { locateParts, type PartFile } from './parts.ts';

export interface WorkerOptions {
  files: Readonly<Record<string, PartFile>>;
  threads: number;
}

export interface Look {
  id: number;
  image: Pixels;
  part: keyof Ask;
}

export type LookAnswer = { kind: 'sight'; id: number; sight: Sight } | { kind: 'failure'; id: number; reason: string };

interface Eyes {
  worker: Worker;
  waiting: Map<number, PromiseWithResolvers<Sight>>;
  isClosed: boolean;
}

/** The bundler gives the worker's file another name. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './eyes-worker.ts' : './eyes-worker.js', import.meta.url);

type Part = keyof Ask;

const opened = new Map<Part, Promise<Eyes>>();
let count = 0;

/**
 * Looks at an image: text and scene each in a thread of its own, side by side. The signal stops the wait; idle threads
 * let the process end.
 */
export async function look(image: Pixels, ask: Ask, options: { signal?: AbortSignal } = {}): Promise<Sight> {
  const [text, scene] = await Promise.all([
    ask.text ? lookFor('text', image, options) : null,
    ask.scene ? lookFor('scene', image, options) : null,
  ]);
  return { lines: text?.lines ?? null, views: scene?.views ?? null };
}

async function lookFor(part: Part, image: Pixels, { signal }: { signal?: AbortSignal }): Promise<Sight> {
  signal?.throwIfAborted();
  let eyes = opened.get(part);
  if (!eyes) opened.set(part, (eyes = openEyes(part)));
  const { worker, waiting } = await eyes;
  signal?.throwIfAborted();
  count += 1;
  const id = count;
  const waiter = Promise.withResolvers<Sight>();
  const onAbort = (): void => waiter.reject(signal!.reason);
  waiting.set(id, waiter);
  worker.ref();
  signal?.addEventListener('abort', onAbort, { once: true });
  worker.postMessage({ id, image, part } satisfies Look, []);
  try {
    return await waiter.promise;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Ends the threads that nobody waits for. Looking again starts new ones. */
export async function closeEyes(): Promise<void> {
  for (const [part, opening] of opened) {
    const eyes = await opening.catch(() => undefined);
    if (!eyes || eyes.waiting.size > 0) continue;
    if (opened.get(part) === opening) opened.delete(part);
    // Its end is no failure, and must not touch the thread that may follow it.
    eyes.isClosed = true;
    await eyes.worker.terminate();
  }
}

async function openEyes(part: Part): Promise<Eyes> {
  // Read only as the runtime loads: nothing leaves unasked.
  process.env['ORT_DISABLE_TELEMETRY'] ??= '1';
  const files = await locateParts().catch((error: unknown) => {
    opened.delete(part);
    throw error;
  });
  const options: WorkerOptions = { files, threads: Math.min(2, availableParallelism()) };
  const worker = new Worker(workerFile, { workerData: options, execArgv: [] });
  const waiting: Eyes['waiting'] = new Map();
  const eyes: Eyes = { worker, waiting, isClosed: false };
  const stop = (reason: string): void => {
    if (!eyes.isClosed) opened.delete(part);
    for (const { reject } of waiting.values()) reject(failed(reason));
    waiting.clear();
  };
  worker.on('message', (answer: LookAnswer) => {
    const waiter = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
    if (answer.kind === 'sight') waiter?.resolve(answer.sight);
    else waiter?.reject(failed(answer.reason));
  });
  worker.on('error', (error) => stop(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => stop(`their thread ended with code ${code}`));
  worker.unref();
  return eyes;
}

function failed(reason: string): AgonError {
  return new AgonError(
    'eyes-failed',
    `The image could not be looked at: ${reason.split('\n')[0]!.trim()}`,
    'Run `agon doctor`, or judge it without (--no-ocr --no-observations).',
  );
}
