import { Worker } from 'node:worker_threads';
import type { BenchResult } from '../result.ts';
import type { SetFigures } from './set-figures.ts';

/** The bundler gives the worker's file another place. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './figures-worker.ts' : './figures-worker.js',
  import.meta.url,
);

/**
 * Every figure of a result, made in a thread of its own: a thousand resamples of many items take seconds, in which a
 * server answers others.
 */
export async function computeFiguresInWorker(result: BenchResult): Promise<SetFigures> {
  const worker = new Worker(workerFile, { execArgv: [], workerData: result });
  try {
    return await new Promise<SetFigures>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread that makes figures ended with code ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
