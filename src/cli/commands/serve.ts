import { AgonError } from '../../errors.ts';
import { findLedgerPlace, openLedger, withRetries, parseLedgerPlace } from '../../ledger/index.ts';
import { startServer, type LogLine, type RunningServer } from '../../server/index.ts';
import { openInBrowser } from '../server/open-in-browser.ts';
import { exitCodes } from '../print-error.ts';
import { readServerSettings, type ServerSettingsFlags } from '../settings-flags.ts';
import { limitHeapGrowth } from '../process.ts';
import { sanitize, style } from '../terminal/style.ts';

export interface ServeFlags extends ServerSettingsFlags {
  log: 'text' | 'json' | 'none';
  open?: boolean;
}

/** `agon serve`: answers until it is told to stop. Returns the exit code. */
export async function serveCommand(flags: ServeFlags): Promise<number> {
  limitHeapGrowth();
  const settings = await readServerSettings(flags);
  if (settings.ledger === false)
    throw new AgonError(
      'no-ledger',
      'A server keeps its cases in a ledger, and none is to be kept.',
      'Leave --no-ledger out (and AGON_LEDGER=false), or name one with --ledger FILE.',
    );
  const opened = await openLedger(
    settings.ledger === undefined ? findLedgerPlace(process.env) : parseLedgerPlace(settings.ledger),
  );
  const log = logIn(flags.log);
  const ledger =
    opened.kind === 'postgresql'
      ? withRetries(opened, {
          forMs: 5_000,
          onWait: ({ code }) => log({ level: 'warn', event: 'waiting-for-ledger', code }),
        })
      : opened;
  try {
    const server = await startServer({ settings, ledger, log });
    // Whoever reads that it listens may stop it at once.
    const stopped = untilStopped(server, log);
    if (flags.log !== 'none') process.stdout.write(`${welcome(server, ledger.place)}\n`);
    if (flags.open) openInBrowser(consoleAt(server));
    await stopped;
    return exitCodes.judged;
  } finally {
    await opened.close();
  }
}

function welcome(server: RunningServer, place: string): string {
  const { url } = server;
  return (
    `Console  ${style('bold', consoleAt(server))}\n\nAgon listens on ${url}\n  what it can be asked   ` +
    `${url}/docs\n  a first verdict        curl ${url}/api/moderations -H 'content-type: application/json' ` +
    `-d '{"text":"How do I kill a process on Linux?"}'\n  cases are kept in      ${sanitize(place)}`
  );
}

/** Whoever listens on all addresses is reached on this machine by its own. */
function consoleAt({ url }: RunningServer): string {
  return `${url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')}/`;
}

/** The first signal drains, the second ends what is under way. */
async function untilStopped(server: RunningServer, log: (line: LogLine) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let asked = 0;
  const onSignal = () => {
    asked += 1;
    if (asked === 1) log({ level: 'info', event: 'draining' });
    (asked === 1 ? server.drain() : server.close()).then(resolve, reject);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    await promise;
    log({ level: 'info', event: 'stopped' });
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  }
}

/** What the server says goes to standard error, a line each. */
function logIn(format: ServeFlags['log']): (line: LogLine) => void {
  if (format === 'none') return () => undefined;
  return (line) => {
    const at = new Date().toISOString();
    process.stderr.write(`${format === 'json' ? JSON.stringify({ at, ...line }) : `${at} ${inWords(line)}`}\n`);
  };
}

/** `POST /api/moderations 200 84 ms moderations.create …` for a request; for anything else its name and fields. */
function inWords(line: LogLine): string {
  if (line.event !== 'request') return fieldsOf(line);
  const { level, method, path, status, ms, operation, request } = line as LogLine &
    Record<'method' | 'path' | 'status' | 'ms' | 'operation' | 'request', string | number>;
  return (
    `${level === 'info' ? '' : `${level.toUpperCase()} `}${method} ${sanitize(String(path))} ${status} ${ms} ms ` +
    `${operation} ${request}`
  );
}

function fieldsOf({ level, event, ...fields }: LogLine): string {
  const told = Object.entries(fields).map(
    ([name, value]) =>
      `${name}=${sanitize(typeof value === 'string' ? value.replace(/\s*\n\s*/g, ' ') : (JSON.stringify(value) ?? ''))}`,
  );
  return [level === 'info' ? event : `${level.toUpperCase()} ${event}`, ...told].join(' ');
}
