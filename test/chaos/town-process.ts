import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { leastEnvironment } from '../support/least-environment.ts';
import { moveClock } from './moved-clock.ts';
import type { ProcessProblem } from './record.ts';

export const launcher = path.join(import.meta.dirname, '..', '..', 'bin', 'agon.js');

/** What a process of Agon is started with. */
export interface ProcessOrder {
  name: string;
  args: readonly string[];
  folder: string;
  environment: Record<string, string>;
  /** What it says when it is ready. */
  ready: RegExp;
  /** Whether what it cannot start without is struck at this moment, or was a moment ago. */
  mayFailToStart(): boolean;
  onProblem(problem: ProcessProblem): void;
}

/** A process that is started again whenever it was struck, as a machine's supervisor would. */
export interface TownProcess {
  name: string;
  /** Null while it is down. */
  pid(): number | null;
  isReady(): boolean;
  whenReady(): Promise<void>;
  /** Ends it by a signal, and starts it again after a pause; what it then believes the time to be. */
  strike(signal: 'SIGKILL' | 'SIGTERM', awayMs: number, clock?: string | null): Promise<void>;
  freeze(frozen: boolean): void;
  /** How it ended in the end: null where it had to be killed. */
  end(): Promise<number | null>;
  starts(): number;
}

/** A start on a busy machine, and an end with everything drained. */
const startMs = 60_000;
const endMs = 45_000;
const againMs = 700;
const keptCharacters = 6_000;

export function startProcess(order: ProcessOrder): TownProcess {
  let child: ChildProcess | null = null;
  let ready = Promise.withResolvers<void>();
  let isReady = false;
  let wanted = true;
  let struck = false;
  let clock: string | null = null;
  let said = '';
  let starts = 0;

  function start(): void {
    said = '';
    starts += 1;
    struck = false;
    const own = spawn(process.execPath, [launcher, ...order.args], {
      cwd: order.folder,
      env: { ...leastEnvironment(), ...order.environment, ...moveClock(clock) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Whoever interrupts the command means the command.
      detached: true,
    });
    child = own;
    const slow = setTimeout(() => {
      if (child === own && !isReady) report(`did not start within ${startMs / 1_000} s`);
    }, startMs);
    for (const stream of [own.stdout, own.stderr])
      stream.setEncoding('utf8').on('data', (words: string) => {
        said = (said + words).slice(-keptCharacters);
        if (isReady || child !== own || !order.ready.test(said)) return;
        isReady = true;
        clearTimeout(slow);
        ready.resolve();
      });
    own.once('close', (code, signal) => {
      clearTimeout(slow);
      const early = !isReady;
      child = null;
      isReady = false;
      ready = Promise.withResolvers();
      if (struck || !wanted) return;
      if (!(early && order.mayFailToStart())) report(`ended with ${code ?? signal} although nobody had struck it`);
      void startAfter(againMs);
    });
  }

  function report(what: string): void {
    order.onProblem({ process: order.name, what: `${what}${clock === null ? '' : ` (clock ${clock})`}`, stderr: said });
  }

  async function startAfter(ms: number): Promise<void> {
    await pause(ms);
    if (wanted && child === null) start();
  }

  async function hasEnded(own: ChildProcess, ms: number): Promise<boolean> {
    const stop = new AbortController();
    const gone = new Promise<boolean>((resolve) => own.once('close', () => resolve(true)));
    if (own.exitCode !== null || own.signalCode !== null) return true;
    const late = pause(ms, false, { signal: stop.signal }).catch(() => false);
    return Promise.race([gone, late]).finally(() => stop.abort());
  }

  async function bringDown(own: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<boolean> {
    struck = true;
    own.kill(signal);
    if (await hasEnded(own, endMs)) return true;
    report(`did not end within ${endMs / 1_000} s of ${signal}`);
    own.kill('SIGKILL');
    await hasEnded(own, endMs);
    return false;
  }

  start();
  return {
    name: order.name,
    pid: () => child?.pid ?? null,
    isReady: () => isReady,
    whenReady: () => ready.promise,
    starts: () => starts,
    async strike(signal, awayMs, believed) {
      if (believed !== undefined) clock = believed;
      if (child) await bringDown(child, signal);
      await startAfter(awayMs);
    },
    freeze(frozen) {
      child?.kill(frozen ? 'SIGSTOP' : 'SIGCONT');
    },
    async end() {
      wanted = false;
      if (!child) return 0;
      const own = child;
      own.kill('SIGCONT');
      return (await bringDown(own, 'SIGTERM')) ? own.exitCode : null;
    },
  };
}
