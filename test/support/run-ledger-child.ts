import { spawn } from 'node:child_process';
import path from 'node:path';

export interface LedgerChild {
  /** It has said that it begins. */
  ready: Promise<void>;
  ended: Promise<{ code: number | null; output: string }>;
  kill(): void;
}

/** Runs ledger-child.ts in a process of its own. */
export function runLedgerChild(...words: string[]): LedgerChild {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'ledger-child.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const { promise: ready, resolve: begin, reject } = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (words_: string) => {
    output += words_;
    if (output.includes('"ready"')) begin();
  });
  child.stderr.setEncoding('utf8').on('data', (words_: string) => (output += words_));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => {
      reject(new Error(`It ended before it began: ${output}`));
      resolve({ code, output });
    });
  });
  ready.catch(() => undefined);
  return { ready, ended, kill: () => void child.kill('SIGKILL') };
}
