import { AgonError, type ErrorCode, type Hint } from '@agonhq/engine/agon-error';

const busy = 5;
const primaryCode = 0xff;

/** By SQLite's own number: our code, the line about a file, and what to do. */
const failures: Record<
  number,
  readonly [code: ErrorCode, message: (file: string, words: string) => string, hint: Hint]
> = {
  [busy]: [
    'locked-ledger',
    (file) => `The ledger ${file} is locked by another process.`,
    'Wait until it is done (an import or prune holds the lock), then try again.',
  ],
  8: [
    'read-only-ledger',
    (file) => `The ledger ${file} cannot be written to.`,
    {
      library: 'Give yourself the right to write the file and its folder, or name another ledger.',
      cli:
        'Give yourself the right to write the file and its folder, or name another with --ledger FILE ' +
        'or AGON_LEDGER.',
    },
  ],
  10: [
    'ledger-failed',
    (file, words) => `The disk failed while the ledger ${file} was in use: ${words}.`,
    'Look at the disk and its mount; what was acknowledged before is kept.',
  ],
  11: [
    'damaged-ledger',
    (file) => `The ledger ${file} is damaged.`,
    'Copy the file away, then save what can be read (sqlite3 FILE .recover), or import an export into a new one.',
  ],
  13: [
    'full-disk',
    (file) => `There is no room left for the ledger ${file}; nothing was half-written.`,
    'Free space on the disk; with a little room, `agon ledger prune` takes old contents away.',
  ],
  14: [
    'ledger-unreachable',
    (file) => `The ledger ${file} cannot be opened.`,
    {
      library: 'Name a file in a folder that exists and can be written to.',
      cli: 'Name a file in a folder that exists and can be written to, with --ledger FILE or AGON_LEDGER.',
    },
  ],
  19: [
    'ledger-constraint',
    (file, words) => `The ledger ${file} refused a row: ${words}.`,
    'It refers to something that the ledger does not have.',
  ],
  26: [
    'not-a-ledger',
    (file) => `${file} is not a ledger: it is no SQLite database.`,
    {
      library: 'Name another file; this one was left as it is.',
      cli: 'Name another file with --ledger FILE or AGON_LEDGER; this one was left as it is.',
    },
  ],
};

/** The number of an error of SQLite, without its extension; -1 for any other error. */
function readErrorNumber(error: unknown): number {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === 'ERR_SQLITE_ERROR' && errcode !== undefined ? errcode & primaryCode : -1;
}

export function isBusy(error: unknown): boolean {
  return readErrorNumber(error) === busy;
}

/** What went wrong with a file of SQLite, in one line, with what to do about it. */
export function nameSqliteError(error: unknown, file: string): unknown {
  return makeFailure(readErrorNumber(error), error, file) ?? error;
}

export function makeReadOnlyError(file: string, error: unknown): AgonError {
  return makeFailure(8, error, file)!;
}

function makeFailure(number: number, error: unknown, file: string): AgonError | undefined {
  const failure = failures[number];
  if (!failure) return undefined;
  const [code, message, hint] = failure;
  return new AgonError(code, message(file, (error as Error).message), hint, { cause: error });
}
