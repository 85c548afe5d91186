import { openLedger, withRetries } from '@agonhq/ledger';
import { ownJobs } from '@agonhq/core/own-jobs';
import { workForFleet } from '@agonhq/core/runs';
import { environment, instantReasoners } from '@agonhq/lab/bench/instant-guard.ts';

/* A worker of a fleet whose guard takes a moment, in a process of its own. Argument: its order, as JSON. */

export interface WorkerOrder {
  url: string;
  heartbeatMs: number;
  delayMs: number;
  /** Items at once. */
  atOnce: number;
}

const { url, heartbeatMs, delayMs, atOnce } = JSON.parse(process.argv[2]!) as WorkerOrder;
const [drain, stop] = [new AbortController(), new AbortController()];
const ledger = withRetries(await openLedger({ url }));
process.once('SIGTERM', () => drain.abort());
const worker = await workForFleet({
  jobs: ownJobs,
  ledger,
  own: {},
  environment,
  concurrency: atOnce,
  drain: drain.signal,
  signal: stop.signal,
  heartbeatMs,
  reasoners: instantReasoners(delayMs),
});
process.send!('ready');
await worker.ended;
await ledger.close();
process.disconnect();
