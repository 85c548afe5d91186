import { fork, type SendHandle } from 'node:child_process';
import type { Server } from 'node:http';

export interface StandstillLimits {
  /** How long the process may stand still before another answers in its place. */
  answerMs: number;
  /** And before it is ended: whoever restarts it goes on, and what it had in hand is tried by itself. */
  endMs: number;
}

export interface StandstillWatch {
  close(): Promise<void>;
}

const passedOn = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot'];

const defaults: StandstillLimits = { answerMs: 2_000, endMs: 60_000 };

/** The bundler gives the file another place. */
const processFile = new URL(
  import.meta.url.endsWith('.ts') ? './standstill-process.ts' : './standstill-process.js',
  import.meta.url,
);

/**
 * Has a small process watch this one. When nothing here has its turn for two seconds, it answers 503 on the same
 * socket; after a minute it ends this process, which nothing inside could do.
 */
export function watchStandstill(
  server: Server | null,
  { onStood = () => undefined, ...limits }: Partial<StandstillLimits> & { onStood?: (ms: number) => void } = {},
): StandstillWatch {
  const child = fork(processFile, [JSON.stringify({ ...defaults, ...limits })], {
    execArgv: ['--max-old-space-size=32'],
    env: Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  /** Node's types do not say that a server has a handle; its own cluster sends nothing else. */
  const socket = server ? (Reflect.get(server, '_handle') as SendHandle) : undefined;
  const beat = (given?: SendHandle) => {
    if (child.connected) child.send('here', given, () => undefined);
  };
  const clock = setInterval(beat, Math.min(500, (limits.answerMs ?? defaults.answerMs) / 4)).unref();
  // Without it the process goes on, unwatched.
  child.on('error', () => clearInterval(clock));
  child.on('message', ({ stoodMs }: { stoodMs: number }) => {
    onStood(stoodMs);
    beat(socket);
  });
  beat(socket);
  child.unref();
  child.channel?.unref();
  return {
    /** With it goes its hold on the socket, which nobody else could listen on. */
    async close() {
      clearInterval(clock);
      child.ref();
      if (child.kill('SIGKILL')) await exited;
    },
  };
}
