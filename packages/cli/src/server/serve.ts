import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';
import type { LogLine, RunningServer } from '@agonhq/server';
import { addExamples, addInstallationFlags, choice, setAction } from '../define-command.ts';
import { limitHeapGrowth } from '../process.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addServiceFlags } from '../settings-flags.ts';
import { sanitize, style } from '../terminal/style.ts';

interface ServeFlags extends SettingsFlags {
  log: 'text' | 'json' | 'none';
  open?: boolean;
}

/** `agon serve` */
export function defineServe(command: Command): void {
  command
    .description(
      "Serve the console for the browser, and the HTTP API: moderation (also through OpenAI's SDKs), evaluation, " +
        'documents, cases, runs, precedents and policies. On loopback no key is needed; every other address needs one.',
    )
    .option('--open', 'open the console in the default browser');
  addServiceFlags(command, 'serve', 'policy to judge by (default: the active policy, or the one that Agon ships)');
  addInstallationFlags(command).addOption(
    choice('--log <format>', 'format of the request log on standard error', ['text', 'json', 'none'], 'text'),
  );
  addExamples(
    command,
    [
      'agon serve --open',
      'agon serve --port 8080 --model ollama:llama3.1',
      'agon keys create --name admin --scope admin && agon serve --host 0.0.0.0 --allowed-host agon.example.com',
      'AGON_DATABASE_URL=postgres://agon@db/agon agon serve --log json',
    ],
    'SIGTERM drains the server: /readyz says 503, for --unready-seconds ' +
      'it still answers, then it accepts nothing new\n' +
      'and finishes open requests. The next server continues runs. One server serves every team (agon teams).\n' +
      'Exit codes: 0 stopped, 1 failed, 2 wrong usage.',
  );
  setAction(command, serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const { locateTeam, openLedger, teamConnections, withRetries } = await import('@agonhq/ledger');
  const { startServer } = await import('@agonhq/server');
  const { locateLedger, tellUpgrade } = await import('../open-ledger.ts');
  const { readServiceSettings } = await import('../read-settings.ts');
  limitHeapGrowth();
  const { settings, jobs } = await readServiceSettings(flags, 'serve');
  if (settings.ledger === false)
    throw new AgonError(
      'no-ledger',
      'A server needs a ledger, and it is turned off.',
      'Leave out AGON_LEDGER=false, or name a ledger with --ledger FILE.',
    );
  const place = locateLedger(settings);
  const opened = tellUpgrade(await openLedger(place));
  const log = openLog(flags.log);
  const waiting = (ledger: Ledger) =>
    ledger.kind === 'postgresql'
      ? withRetries(ledger, {
          forMs: 5_000,
          onWait: ({ code }) => log({ level: 'warn', event: 'waiting-for-ledger', code }),
        })
      : ledger;
  const ledger = waiting(opened);
  try {
    const server = await startServer({
      jobs,
      settings,
      ledger,
      openTeamLedger: async (team) =>
        waiting(await openLedger(locateTeam(place, team), { connections: teamConnections })),
      log,
      watched: true,
    });
    // Before the welcome: whoever reads it may stop the server at once.
    const stopped = waitUntilStopped(server, log);
    if (flags.log !== 'none') process.stdout.write(`${renderWelcome(server, ledger.place)}\n`);
    if (flags.open) openInBrowser(findConsole(server));
    await stopped;
  } finally {
    await opened.close();
  }
}

function renderWelcome(server: RunningServer, place: string): string {
  const { url } = server;
  const first =
    `curl ${url}/api/jobs/moderation/cases -H 'content-type: application/json' ` +
    `-d '{"text":"How do I kill a process on Linux?"}'`;
  return [
    `Console  ${style('bold', findConsole(server))}`,
    '',
    `Agon listens on ${url}`,
    `  API reference   ${url}/docs`,
    `  first verdict   ${first}`,
    `  ledger          ${sanitize(place)}`,
  ].join('\n');
}

/** A server that listens on all addresses is reached locally by the loopback address. */
function findConsole({ url }: RunningServer): string {
  return `${url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')}/`;
}

/** The first signal drains, the second stops at once. */
export async function waitUntilStopped(
  server: Pick<RunningServer, 'drain' | 'close'>,
  log: (line: LogLine) => void,
): Promise<void> {
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

function openLog(format: ServeFlags['log']): (line: LogLine) => void {
  if (format === 'none') return () => undefined;
  return (line) => {
    const at = new Date().toISOString();
    process.stderr.write(`${format === 'json' ? JSON.stringify({ at, ...line }) : `${at} ${formatLine(line)}`}\n`);
  };
}

/**
 * `POST /api/jobs/moderation/cases 200 84 ms moderations.create …` for a request; for anything else its name and
 * fields.
 */
function formatLine(line: LogLine): string {
  if (line.event !== 'request') return formatFields(line);
  const { level, method, path, status, ms, operation, request } = line as LogLine &
    Record<'method' | 'path' | 'status' | 'ms' | 'operation' | 'request', string | number>;
  return (
    `${level === 'info' ? '' : `${level.toUpperCase()} `}${method} ${sanitize(String(path))} ${status} ${ms} ms ` +
    `${operation} ${request}`
  );
}

function formatFields({ level, event, ...fields }: LogLine): string {
  const texts = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value.replace(/(?<!\s)\s*\n\s*/g, ' ') : (JSON.stringify(value) ?? '');
    return `${name}=${sanitize(text)}`;
  });
  return [level === 'info' ? event : `${level.toUpperCase()} ${event}`, ...texts].join(' ');
}

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Shows an address in the default browser. Without a browser nothing happens: the address was printed. */
export function openInBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
  const [command, ...given] = openers[platform] ?? ['xdg-open'];
  spawn(command, [...given, url], { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref();
}
