import { createInterface } from 'node:readline/promises';
import { AgonError } from '../../errors.ts';

/** Asks before something is deleted for good; without a terminal, --yes has to say it. */
export async function confirm(question: string, { yes }: { yes?: boolean }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY)
    throw new AgonError(
      'bad-flag',
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
