import { parentPort, workerData } from 'node:worker_threads';
import type { ScoreSheet } from '../result.ts';
import { figuresOf } from './compute-figures.ts';

/* Makes the figures of one sheet in a thread of its own. */

parentPort!.postMessage(figuresOf(workerData as ScoreSheet), []);
