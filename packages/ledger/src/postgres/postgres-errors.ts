import { AgonError, type ErrorCode } from '@agonhq/engine/agon-error';

type Failure = readonly [code: ErrorCode, message: (place: string, code: string) => string, hint: string];

const unreachable: Failure = [
  'ledger-unreachable',
  (place, code) => `PostgreSQL at ${place} cannot be reached (${code}).`,
  'Start the server, or mend AGON_DATABASE_URL.',
];
const refused: Failure = [
  'ledger-refused',
  (place) => `PostgreSQL at ${place} refused the user or the password.`,
  'Mend user and password in AGON_DATABASE_URL.',
];
const forbidden: Failure = [
  'ledger-refused',
  (place) => `PostgreSQL at ${place} does not let this user do that.`,
  'Grant the user CREATE on the schema, or let its owner open the ledger once.',
];
const conflict: Failure = [
  'ledger-conflict',
  (place) => `What was done to the ledger at ${place} was in the way of something else, and was taken back.`,
  'Try again.',
];
const constraint: Failure = [
  'ledger-constraint',
  (place) => `The ledger at ${place} refused a row.`,
  'It refers to something that the ledger does not have.',
];

/** By the code of the system or of PostgreSQL. No line holds the address as it was given: it may hold a password. */
const failures: Record<string, Failure> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  ENOENT: unreachable,
  EPIPE: unreachable,
  '25P03': unreachable,
  '57P01': unreachable,
  '57P02': unreachable,
  '57P03': unreachable,
  '28P01': refused,
  '28000': refused,
  '42501': forbidden,
  '3F000': forbidden,
  '3D000': [
    'ledger-unreachable',
    (place) => `PostgreSQL at ${place} has no such database.`,
    'Create it (createdb), or mend AGON_DATABASE_URL.',
  ],
  '25006': [
    'read-only-ledger',
    (place) => `PostgreSQL at ${place} is read-only (a standby?).`,
    'Name the primary in AGON_DATABASE_URL.',
  ],
  '53100': [
    'full-disk',
    (place) => `There is no room left for the ledger at ${place}; nothing was half-written.`,
    "Free space on the server's disk; with a little room, `agon ledger prune` takes old contents away.",
  ],
  '53300': [
    'ledger-unreachable',
    (place) => `PostgreSQL at ${place} has no connection left.`,
    'Raise max_connections, or run fewer processes.',
  ],
  '55P03': [
    'locked-ledger',
    (place) => `The ledger at ${place} is locked by another process.`,
    'Wait until it is done (an import or prune holds the lock), then try again.',
  ],
  '40001': conflict,
  '40P01': conflict,
  '23502': constraint,
  '23503': constraint,
  '23505': constraint,
};

/** What went wrong with a server of PostgreSQL, in one line, with what to do about it. */
export function namePostgresError(error: unknown, place: string): unknown {
  const code = isConnectionLoss(error) ? 'connection lost' : ((error as { code?: string }).code ?? '');
  const failure = code === 'connection lost' ? unreachable : failures[code];
  if (!failure) return error;
  const [ours, message, hint] = failure;
  return new AgonError(ours, message(place, code), hint, { cause: error });
}

/** The driver says it in words alone. */
function isConnectionLoss(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    )
  );
}
