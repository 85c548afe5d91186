import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { leftOver } from './left-over.ts';

export interface Command {
  args: readonly string[];
  cwd: string;
  environment: Record<string, string>;
  stdin: Uint8Array;
}

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export type Asked = Command & { id: number };
export interface Answered {
  id: number;
  outcome: Outcome;
}

interface WarmProcess {
  run(command: Command): Promise<Outcome>;
  /** Throws where something was said beside the streams of its commands. */
  assertSilent(): void;
  end(): Promise<void>;
}

/** Files of tests that share a process before it is ended, and has to end by itself. */
const filesOfOne = 8;

let warm: WarmProcess | undefined;
let files = 0;
let isInUse = false;

/**
 * Runs a command of the built command line in a process that several files of tests share. Commands come one after the
 * other, each with its own folder, environment and streams; code and models are loaded by the first that needs them.
 */
export async function runWarm(command: Command): Promise<Outcome> {
  warm ??= startWarm();
  if (!isInUse) leftOver.ofFile.push(leaveWarm);
  isInUse = true;
  return warm.run(command);
}

async function leaveWarm(): Promise<void> {
  isInUse = false;
  files += 1;
  const left = warm!;
  if (files % filesOfOne === 0) {
    warm = undefined;
    await left.end();
  }
  left.assertSilent();
}

function startWarm(): WarmProcess {
  const child = fork(path.join(import.meta.dirname, 'warm-process.ts'), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  });
  const waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  let aside = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (aside += text));
  const ended = Promise.all([once(child, 'exit'), finished(child.stdout!), finished(child.stderr!)]);
  void ended.then(() => {
    for (const { reject } of waiting.values())
      reject(new Error(`The process ended in the midst of a command. ${aside}`));
  });
  child.on('message', ({ id, outcome }: Answered) => {
    waiting.get(id)!.resolve(outcome);
    waiting.delete(id);
  });
  let count = 0;
  return {
    run(command) {
      const id = (count += 1);
      const outcome = Promise.withResolvers<Outcome>();
      waiting.set(id, outcome);
      child.send({ ...command, id } satisfies Asked);
      return outcome.promise;
    },
    assertSilent() {
      if (aside !== '') throw new Error(`Something was said beside the streams of a command: ${aside}`);
    },
    async end() {
      if (child.connected) child.disconnect();
      await endsByItself(child, ended);
    },
  };
}

/** As a process of its own would have to: no command may leave anything open. */
async function endsByItself(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const patience = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await ended;
  clearTimeout(patience);
  if (child.signalCode !== null) throw new Error('The process does not end by itself: a command left something open.');
}
