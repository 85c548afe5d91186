import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';
import type { FleetWorker, TeamAtWork } from '@agonhq/core/runs';
import { addExamples, setAction, addLedgerFlags, collect, concurrency, positive } from '../define-command.ts';
import { exitCodes, formatError } from '../print-error.ts';
import { limitHeapGrowth } from '../process.ts';
import type { CommandSettings } from '../read-settings.ts';
import { sanitize } from '../terminal/style.ts';

interface WorkerFlags {
  ledger?: string;
  concurrency: number;
  run?: string[];
  untilIdle?: boolean;
  drainSeconds: number;
  probe?: string;
  config?: string;
  team?: string;
  quiet?: boolean;
}

/** How long a worker that was stopped still waits for an unreachable ledger, to give its items back. */
const farewellMs = 5_000;
/** What it takes, renews and writes goes in groups: many workers fit one server. */
const mostConnections = 4;

/** `agon worker` */
export function defineWorker(command: Command): void {
  command
    .description(
      'Work on the runs of a ledger on PostgreSQL: take items, judge them, take over the items of dead workers. ' +
        'SIGTERM drains the worker: it takes no new items and finishes those in progress. Providers and keys come ' +
        'from this machine, everything else comes with the run. Without --team it works for all teams of the ' +
        'installation in equal parts.',
    )
    .option('--concurrency <n>', 'items to judge at once', concurrency, 8)
    .option('--run <run>', 'only this run, by id or name; of the installation, or of --team (repeatable)', collect)
    .option('--until-idle', 'exit when no run has items left')
    .option('--drain-seconds <n>', 'give back items that take longer after SIGTERM', positive, 30)
    .option('--probe <[host:]port>', 'serve GET /healthz, /readyz and /metrics here (default host: 127.0.0.1)')
    .option('-q, --quiet', 'print only problems');
  addLedgerFlags(command);
  addExamples(
    command,
    [
      'AGON_DATABASE_URL=postgres://agon@db/agon agon worker --concurrency 16',
      'agon worker --ledger postgres://agon@db/agon --probe 0.0.0.0:8080',
      'agon worker --run nightly --until-idle',
      'agon worker --team acme',
    ],
    'Exit codes: 0 drained, 1 failed, 130 stopped at once by a second signal.',
  );
  setAction(command, work);
}

async function work(flags: WorkerFlags): Promise<number> {
  const { openDocumentReaders, watchStandstill } = await import('@agonhq/core/app');
  const { openLedger, withRetries } = await import('@agonhq/ledger');
  const { workForFleet, workForTeams } = await import('@agonhq/core/runs');
  const { locateLedger, tellUpgrade } = await import('../open-ledger.ts');
  const { readInstallation, readTeamName } = await import('../read-settings.ts');
  limitHeapGrowth();
  const team = readTeamName(flags);
  const given = await readInstallation(flags);
  const { settings: own, jobs } = given;
  if (own.ledger === false)
    throw new AgonError(
      'no-fleet',
      'Workers need a ledger on PostgreSQL.',
      'Set AGON_DATABASE_URL=postgres://…, or use --ledger postgres://….',
    );
  const log = (line: string) => void process.stderr.write(`${new Date().toISOString()} ${sanitize(line)}\n`);
  const inform = flags.quiet ? () => undefined : log;
  const opened = tellUpgrade(await openLedger(locateLedger(own), { connections: mostConnections }));
  const { drain, stop, atOnce, dispose } = onSignals(flags.drainSeconds, inform);
  // Items in progress were paid for: a worker waits for its ledger until it is stopped. Its probes report how long.
  const waiting = (given: Ledger) =>
    withRetries(given, {
      forMs: () => (stop.aborted ? farewellMs : Infinity),
      onWait: (error) => log(`waiting for the ledger: ${formatError(error)}`),
    });
  const ledger = waiting(opened);
  const readers = openDocumentReaders();
  try {
    const options = {
      jobs,
      ledger,
      own,
      concurrency: flags.concurrency,
      drain,
      signal: stop,
      runs: flags.run,
      untilIdle: flags.untilIdle,
      readFiles: readers.readFiles,
      onLine: log,
    };
    const worker =
      team === null && flags.run === undefined
        ? await workForTeams({ ...options, openTeam: (name) => openTeam(name, given, ledger, waiting) })
        : await workForFleet(options);
    const probe = flags.probe === undefined ? null : await serveProbe(flags.probe, worker, ledger.teams);
    inform(
      `${worker.status().worker} works on ${ledger.place}, ${flags.concurrency} items at once` +
        (probe ? `, probes at ${probe.address}` : ''),
    );
    const watch = watchStandstill(null);
    try {
      await worker.ended;
    } finally {
      await watch.close();
      await probe?.close();
    }
    const { judged, failed } = worker.status();
    inform(`drained: ${judged} judged, ${failed} failed`);
    return atOnce() ? exitCodes.stopped : exitCodes.judged;
  } finally {
    dispose();
    await readers.close();
    await opened.close();
  }
}

/** What the worker needs for a team: its ledger, and its settings over those of this machine. */
async function openTeam(
  name: string,
  { settings: own, jobs }: CommandSettings,
  installation: Ledger,
  waiting: (ledger: Ledger) => Ledger,
): Promise<TeamAtWork> {
  const { locateTeam, openLedger, teamConnections } = await import('@agonhq/ledger');
  const { shareLimits } = await import('@agonhq/core/runs');
  const { applyTeam } = await import('@agonhq/core/teams');
  const { locateLedger } = await import('../open-ledger.ts');
  const row = await installation.teams.findTeam(name);
  if (!row) throw new AgonError('unknown-team', `The team ${name} is gone.`, 'agon teams lists those there are.');
  const opened = await openLedger(locateTeam(locateLedger(own), name), { connections: teamConnections });
  const ledger = waiting(opened);
  return {
    ledger: own.teams?.limits === 'apart' ? ledger : shareLimits(ledger, installation),
    own: applyTeam(jobs, own, row),
    release: () => opened.close(),
  };
}

/** The first signal drains; after `seconds`, or with a second signal, unfinished items are given back. */
function onSignals(
  seconds: number,
  inform: (line: string) => void,
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
    inform(`draining: finishing the items in progress, for at most ${seconds} s`);
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

/** A worker that cannot reach its ledger for this long should be restarted. */
const deadAfterMs = 120_000;
const readyWithinMs = 15_000;

/**
 * Serves the probes of an orchestrator: `/healthz` (alive), `/readyz` (takes items), `/metrics` (Prometheus). Request
 * bodies are not read.
 */
export async function serveProbe(
  at: string,
  worker: FleetWorker,
  teams: Pick<Ledger['teams'], 'countQueuedItems'>,
): Promise<{ address: string; close(): Promise<void> }> {
  const { host, port } = readAddress(at);
  async function reply({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = method === 'GET' ? await answers[url]?.(worker, teams) : undefined;
    response
      .writeHead(answer?.status ?? 404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .end(answer?.text ?? 'not found\n');
  }
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new AgonError(
          'address-in-use',
          `Cannot serve probes at ${at}: ${error.code ?? error.message}.`,
          'Choose another address with --probe.',
          { cause: error },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface ProbeAnswer {
  status: number;
  text: string;
}

type Answering = (
  worker: FleetWorker,
  teams: Pick<Ledger['teams'], 'countQueuedItems'>,
) => ProbeAnswer | Promise<ProbeAnswer>;

const answers: Record<string, Answering> = {
  '/healthz'(worker) {
    const silentMs = Date.now() - worker.status().heardAt;
    return silentMs < deadAfterMs
      ? { status: 200, text: 'alive\n' }
      : { status: 503, text: `the ledger has not answered for ${Math.round(silentMs / 1000)} s\n` };
  },
  '/readyz'(worker) {
    const { state, heardAt } = worker.status();
    if (state === 'draining') return { status: 503, text: 'draining\n' };
    return Date.now() - heardAt < readyWithinMs
      ? { status: 200, text: 'ready\n' }
      : { status: 503, text: 'the ledger does not answer\n' };
  },
  async '/metrics'(worker, teams) {
    const { running, judged, failed, state, refused } = worker.status();
    const figures = [
      ['agon_worker_items_running', 'gauge', 'Items in progress.', running],
      ['agon_worker_items_judged_total', 'counter', 'Items with a verdict.', judged],
      ['agon_worker_items_failed_total', 'counter', 'Failed items.', failed],
      ['agon_worker_draining', 'gauge', '1 while the worker drains.', Number(state === 'draining')],
      ['agon_worker_runs_refused', 'gauge', 'Runs that this worker cannot judge.', Object.keys(refused).length],
    ] as const;
    const told = figures.map(
      ([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`,
    );
    // A ledger that is away has no queue to tell of; the probes above say that it is away.
    const queued = await teams.countQueuedItems().catch(() => new Map<string | null, number>());
    return { status: 200, text: [...told, renderQueue(queued)].join('') };
  },
};

/** As the server tells it. */
function renderQueue(queued: ReadonlyMap<string | null, number>): string {
  const name = 'agon_queue_items';
  const lines = [...queued].map(([team, items]) => `${name}${team === null ? '' : `{team="${team}"}`} ${items}\n`);
  return `# HELP ${name} Items of runs that wait for a worker.\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function readAddress(at: string): { host: string; port: number } {
  const match = /^(?:(?<host>.+):)?(?<port>\d{1,5})$/.exec(at);
  const port = Number(match?.groups?.['port'] ?? Number.NaN);
  if (!match || port > 65_535)
    throw badFlag(`--probe ${at} is not an address.`, 'Use a port or host:port: --probe 8080, --probe 0.0.0.0:8080.');
  return { host: match.groups?.['host']?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1', port };
}
