import { AgonError } from '../../errors.ts';
import { ledgerPlace, openLedger, patiently, placeOf } from '../../ledger/index.ts';
import { workForFleet } from '../../runs/index.ts';
import { errorLine, exitCodes } from '../print-error.ts';
import { serveProbe } from '../probe.ts';
import { installationSettingsFor } from '../settings-flags.ts';
import { plain } from '../terminal.ts';

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

/** `agon worker`: works until it is told to drain. Returns the exit code. */
export async function workerCommand(flags: WorkerFlags): Promise<number> {
  const own = await installationSettingsFor(flags);
  if (own.ledger === false) throw new AgonError('no-fleet', 'Workers need a ledger on PostgreSQL.', 'Name it: AGON_DATABASE_URL=postgres://…, or --ledger postgres://….');
  const say = (line: string) => void process.stderr.write(`${new Date().toISOString()} ${plain(line)}\n`);
  const tell = flags.quiet ? () => undefined : say;
  const opened = await openLedger(own.ledger === undefined ? ledgerPlace(process.env) : placeOf(own.ledger));
  const ledger = patiently(opened, { onWait: (error) => say(`waiting for the ledger: ${errorLine(error)}`) });
  const { drain, stop, dispose } = onSignals(flags.drainSeconds, tell);
  try {
    const worker = await workForFleet({ ledger, own, concurrency: flags.concurrency, drain, signal: stop, runs: flags.run, untilIdle: flags.untilIdle, onLine: say });
    const probe = flags.probe === undefined ? null : await serveProbe(flags.probe, worker);
    tell(`${worker.status().worker} works on ${ledger.place}, ${flags.concurrency} items at once${probe ? `, probes at ${probe.address}` : ''}`);
    try {
      await worker.ended;
    } finally {
      await probe?.close();
    }
    const { judged, failed } = worker.status();
    tell(`drained: ${judged} judged, ${failed} failed`);
    return exitCodes.judged;
  } finally {
    dispose();
    await opened.close();
  }
}

/** The first signal drains; after `seconds`, or with a second signal, what is still in hand is given back. */
function onSignals(seconds: number, tell: (line: string) => void): { drain: AbortSignal; stop: AbortSignal; dispose(): void } {
  const drain = new AbortController();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onSignal = () => {
    if (drain.signal.aborted) {
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
    dispose() {
      clearTimeout(timer);
      process.off('SIGTERM', onSignal);
      process.off('SIGINT', onSignal);
    },
  };
}
