import { AgonError } from '../../errors.ts';
import { findLedgerPlace, openLedger, withRetries, parseLedgerPlace } from '../../ledger/index.ts';
import { workForFleet } from '../../runs/index.ts';
import { formatError, exitCodes } from '../print-error.ts';
import { serveProbe } from '../server/probe.ts';
import { readInstallationSettings } from '../settings-flags.ts';
import { limitHeapGrowth } from '../process.ts';
import { sanitize } from '../terminal/style.ts';

export interface WorkerFlags {
  ledger?: string;
  concurrency: number;
  run?: string[];
  untilIdle?: boolean;
  drainSeconds: number;
  probe?: string;
  config?: string;
  quiet?: boolean;
}

/** How long a worker that was ended still waits for a ledger that is away, to give back what it has. */
const farewellMs = 5_000;

/** `agon worker`: works until it is told to drain. Returns the exit code. */
export async function workerCommand(flags: WorkerFlags): Promise<number> {
  limitHeapGrowth();
  const own = await readInstallationSettings(flags);
  if (own.ledger === false)
    throw new AgonError(
      'no-fleet',
      'Workers need a ledger on PostgreSQL.',
      'Name it: AGON_DATABASE_URL=postgres://…, or --ledger postgres://….',
    );
  const say = (line: string) => void process.stderr.write(`${new Date().toISOString()} ${sanitize(line)}\n`);
  const tell = flags.quiet ? () => undefined : say;
  const opened = await openLedger(
    own.ledger === undefined ? findLedgerPlace(process.env) : parseLedgerPlace(own.ledger),
  );
  const { drain, stop, atOnce, dispose } = onSignals(flags.drainSeconds, tell);
  // What is in hand was paid for: a worker waits for its ledger as long as nobody ends it. Its probes tell how long
  // that is.
  const ledger = withRetries(opened, {
    forMs: () => (stop.aborted ? farewellMs : Infinity),
    onWait: (error) => say(`waiting for the ledger: ${formatError(error)}`),
  });
  try {
    const worker = await workForFleet({
      ledger,
      own,
      concurrency: flags.concurrency,
      drain,
      signal: stop,
      runs: flags.run,
      untilIdle: flags.untilIdle,
      onLine: say,
    });
    const probe = flags.probe === undefined ? null : await serveProbe(flags.probe, worker);
    tell(
      `${worker.status().worker} works on ${ledger.place}, ${flags.concurrency} items at once${probe ? `, probes at ${probe.address}` : ''}`,
    );
    try {
      await worker.ended;
    } finally {
      await probe?.close();
    }
    const { judged, failed } = worker.status();
    tell(`drained: ${judged} judged, ${failed} failed`);
    return atOnce() ? exitCodes.stopped : exitCodes.judged;
  } finally {
    dispose();
    await opened.close();
  }
}

/** The first signal drains; after `seconds`, or with a second signal, what is still in hand is given back. */
function onSignals(
  seconds: number,
  tell: (line: string) => void,
): { drain: AbortSignal; stop: AbortSignal; atOnce(): boolean; dispose(): void } {
  const drain = new AbortController();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const onSignal = () => {
    if (drain.signal.aborted) {
      again = true;
      stop.abort();
      return;
    }
    tell(`draining: what is in hand is judged to its end, for at most ${seconds} s`);
    drain.abort();
    timer = setTimeout(() => stop.abort(), seconds * 1000);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return {
    drain: drain.signal,
    stop: stop.signal,
    atOnce: () => again,
    dispose() {
      clearTimeout(timer);
      process.off('SIGTERM', onSignal);
      process.off('SIGINT', onSignal);
    },
  };
}
