import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Starts a module of this folder as a process of its own; it reports with `process.send`. */
export function startChild(module: URL, ...args: string[]): ChildProcess {
  return fork(module, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** The child's next message; an end without one is an error. */
export async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const first = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${child.spawnargs[1]} ended with ${code} before it reported`);
      }),
    ]);
    return first[0] as Message;
  } finally {
    over.abort();
  }
}

/** Runs `use` beside a provider with a fixed latency, in a process of its own. */
export async function withProvider<Result>(latencyMs: number, use: (url: string) => Promise<Result>): Promise<Result> {
  const child = startChild(new URL('./provider-process.ts', import.meta.url), String(latencyMs));
  try {
    const { url } = await messageOf<{ url: string }>(child);
    return await use(url);
  } finally {
    child.disconnect();
  }
}
