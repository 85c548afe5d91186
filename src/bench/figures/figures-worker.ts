import { parentPort, workerData } from 'node:worker_threads';
import type { ScoreSheet } from '../sheet.ts';
import { figuresOf } from './figures-of.ts';

/* Makes the figures of one sheet in a thread of its own. */

parentPort!.postMessage(figuresOf(workerData as ScoreSheet), []);
