import { createInterface } from 'node:readline/promises';
import v8 from 'node:v8';
import { badFlag } from '@agonhq/engine/agon-error';

/** Launchers (npx, our own under an old Node) pass on the Ctrl-C that the terminal has already sent to everybody. */
const echoMs = 300;

/** A signal that the first Ctrl-C or SIGTERM aborts; the second ends the process at once. */
export function listenForInterrupt(): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  let first = 0;
  const stop = () => {
    if (!controller.signal.aborted) {
      first = performance.now();
      controller.abort(new Error('interrupted'));
    } else if (performance.now() - first > echoMs) process.exit(130);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    signal: controller.signal,
    dispose: () => {
      // The echo of a Ctrl-C may still be on its way while the process tidies up: it must not end it by the signal.
      if (controller.signal.aborted) return;
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}

/** Writes to standard output, and waits for a reader that is slower. */
export async function printLine(line: string): Promise<void> {
  if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}

/** Standard output as a file of results that holds nothing yet. */
export const resultsToStandardOutput = {
  write: (record: object) => printLine(`${JSON.stringify(record)}\n`),
  close: async () => {},
};

/**
 * Keeps the memory of a long run even: V8 would let garbage grow to several times the size of what is alive before it
 * collects it, and the process would seem to leak. The cost is too small to measure.
 */
export function limitHeapGrowth(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
}

/** Asks before something is deleted for good; without a terminal, --yes has to say it. */
export async function confirm(question: string, { yes }: { yes?: boolean }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY)
    throw badFlag(
      'This needs confirmation, and standard input is not a terminal. Nothing was deleted.',
      'Confirm with --yes.',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
