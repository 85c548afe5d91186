import { workerData } from 'node:worker_threads';

/*
 * Ends the process that reads when it takes more memory than it may, or when nobody is there any more to read for. No
 * limit of the system does: V8 reserves far more than it uses.
 */

/** A buffer that doubles is filled with a gigabyte in a second or so. */
const everyMs = 10;

const { bytes, parent } = workerData as { bytes: number; parent: number };

setInterval(() => {
  if (process.memoryUsage.rss() > bytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, everyMs);
