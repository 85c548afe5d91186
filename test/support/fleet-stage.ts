import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256 } from '@agonhq/engine/hash';
import { startFakeProvider, type FakeProvider, type FakeRequest } from '../fake-provider/index.ts';
import { panelReply, type PanelScript } from './fake-panel.ts';
import { startPostgres, type PostgresServer } from './postgres.ts';
import { leastEnvironment } from './least-environment.ts';

const launcher = path.join(import.meta.dirname, '..', '..', 'bin', 'agon.js');

/** What the provider saw of one call. */
export interface SeenCall {
  /** Who called, by the key it used. */
  worker: string;
  /** Hash of what was sent. */
  asked: string;
  startedAt: number;
  endedAt: number | null;
}

/** A server of PostgreSQL, a provider that counts, and workers as processes of their own. */
export interface FleetStage extends AsyncDisposable {
  server: PostgresServer;
  url: string;
  provider: FakeProvider;
  calls: SeenCall[];
  folder: string;
  /** Starts a worker and waits until it is ready. */
  worker(name: string, flags?: readonly string[]): Promise<WorkerProcess>;
  /** Runs a command of Agon to its end. */
  agon(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Calls of a worker that the provider is answering now. */
  inFlight(worker: string): number;
}

export interface WorkerProcess {
  name: string;
  child: ChildProcess;
  probe: string;
  stderr(): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface FleetSettings {
  script?: PanelScript;
  model?: object;
  /** More settings of the run. */
  settings?: object;
}

export async function openFleetStage({
  script = {},
  model = {},
  settings = {},
}: FleetSettings = {}): Promise<FleetStage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-fleet-'));
  const server = await startPostgres();
  const url = await server.newLedger();
  const calls: SeenCall[] = [];
  const provider = await startFakeProvider((request) => panelReply(script, request));
  const original = provider.script;
  provider.script = (request) => {
    calls.push(seen(request));
    return original(request);
  };
  const children = new Set<ChildProcess>();

  function configFor(name: string): string {
    const file = path.join(folder, `${name}.json`);
    const whole = {
      seats: { default: 'fake:panel' },
      providers: { fake: { baseUrl: `${provider.url}/v1`, apiKey: name } },
      models: { 'fake:panel': { price: { input: 1, output: 2 }, ...model } },
      defaults: { retries: 0, timeoutMs: 30_000 },
      ...settings,
    };
    writeFileSync(file, JSON.stringify(whole));
    return file;
  }

  function start(args: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: folder,
      env: { ...leastEnvironment(), AGON_HOME: path.join(folder, 'home'), AGON_DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  }

  return {
    server,
    url,
    provider,
    calls,
    folder,
    async worker(name, flags = []) {
      const child = start(['worker', '--config', configFor(name), '--probe', '0', ...flags]);
      let said = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
        child.once('exit', (code, signal) => resolve({ code, signal })),
      );
      for (let tries = 0; !said.includes('probes at'); tries += 1) {
        if (child.exitCode !== null || tries > 3_000) throw new Error(`The worker ${name} did not start: ${said}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return { name, child, probe: /probes at (\S+)/.exec(said)![1]!, stderr: () => said, ended };
    },
    async agon(args) {
      const child = start([...args, '--config', configFor('submitter')]);
      const said = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'] as const)
        child[stream]!.setEncoding('utf8').on('data', (text: string) => (said[stream] += text));
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      return { code, ...said };
    },
    inFlight: (worker) =>
      provider.requests.filter((request) => request.endedAt === null && keyOf(request) === worker).length,
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      await provider.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function seen(request: FakeRequest): SeenCall {
  return {
    worker: keyOf(request),
    asked: sha256(JSON.stringify(request.body)),
    startedAt: request.startedAt,
    get endedAt() {
      return request.endedAt;
    },
  };
}

function keyOf({ headers }: FakeRequest): string {
  return String(headers['authorization']).replace('Bearer ', '');
}

/** The most calls in any minute. */
export function busiestMinute(calls: readonly SeenCall[]): number {
  const starts = calls.map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < starts.length; last += 1) {
    while (starts[last]! - starts[first]! >= 60_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** How often something was asked that had been asked before; with a condition, of those calls whose workers fulfil it. */
export function repeatedCalls(
  calls: readonly SeenCall[],
  counts: (workers: ReadonlySet<string>) => boolean = () => true,
): number {
  const asked = [...Map.groupBy(calls, (call) => call.asked).values()];
  return asked
    .filter((same) => counts(new Set(same.map(({ worker }) => worker))))
    .reduce((sum, same) => sum + same.length - 1, 0);
}
