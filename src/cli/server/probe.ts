import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgonError } from '../../errors.ts';
import type { FleetWorker } from '../../runs/index.ts';

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
): Promise<{ address: string; close(): Promise<void> }> {
  const { host, port } = readAddress(at);
  const server = createServer((request, response) => {
    const answer = request.method === 'GET' ? answers[request.url ?? '']?.(worker) : undefined;
    response
      .writeHead(answer?.status ?? 404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .end(answer?.text ?? 'not found\n');
  });
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

const answers: Record<string, (worker: FleetWorker) => ProbeAnswer> = {
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
  '/metrics'(worker) {
    const { running, judged, failed, state, refused } = worker.status();
    const figures = [
      ['agon_worker_items_running', 'gauge', 'Items in progress.', running],
      ['agon_worker_items_judged_total', 'counter', 'Items with a verdict.', judged],
      ['agon_worker_items_failed_total', 'counter', 'Failed items.', failed],
      ['agon_worker_draining', 'gauge', '1 while the worker drains.', Number(state === 'draining')],
      ['agon_worker_runs_refused', 'gauge', 'Runs that this worker cannot judge.', Object.keys(refused).length],
    ] as const;
    return {
      status: 200,
      text: figures
        .map(([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`)
        .join(''),
    };
  },
};

function readAddress(at: string): { host: string; port: number } {
  const match = /^(?:(?<host>.+):)?(?<port>\d{1,5})$/.exec(at);
  const port = Number(match?.groups?.['port'] ?? Number.NaN);
  if (!match || port > 65_535)
    throw new AgonError(
      'bad-flag',
      `--probe ${at} is not an address.`,
      'Use a port or host:port: --probe 8080, --probe 0.0.0.0:8080.',
    );
  return { host: match.groups?.['host']?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1', port };
}
