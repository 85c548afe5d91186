import { parentPort, workerData } from 'node:worker_threads';
import type { BenchResult } from '../result.ts';
import { computeFigures } from './compute-figures.ts';

/* Makes the figures of one result in a thread of its own. */

parentPort!.postMessage(computeFigures(workerData as BenchResult), []);
