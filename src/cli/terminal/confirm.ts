import { createInterface } from 'node:readline/promises';
import { AgonError } from '../../errors.ts';

/** Asks before something is taken away for good; where nobody can answer, --yes has to say it. */
export async function confirm(question: string, { yes }: { yes?: boolean }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY)
    throw new AgonError(
      'bad-flag',
      'Nobody is there to be asked, and nothing was taken away.',
      'Say --yes to do it without a question.',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
