import { schemas } from '../../api/index.ts';
import { AgonError } from '../../errors.ts';
import type { ApiKeyRow } from '../../ledger/index.ts';
import { openKeys, readKey, shownKey, type NewKey } from '../../server/auth/index.ts';
import { fitLines, formatTable } from '../terminal/table.ts';
import { formatMoment } from '../terminal/format.ts';
import { readFutureMoment } from '../read-flags.ts';
import { exitCodes } from '../print-error.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { sanitize, printLines } from '../terminal/style.ts';

export interface KeysFlags extends LedgerFlags {
  json?: boolean;
}

export interface KeysCreateFlags extends KeysFlags {
  name: string;
  scope: string[];
  reviewer?: string;
  expires?: string;
}

/** `agon keys create`: the key alone on standard output, for a script to take. */
export async function keysCreateCommand(flags: KeysCreateFlags): Promise<number> {
  const asked = newKeyFrom(flags);
  return withLedger(
    flags,
    async (ledger) => {
      const keys = await openKeys({ ledger, environment: {} });
      const { row, key } = await keys.create(asked);
      printLines([flags.json ? JSON.stringify({ version: 1, ...shownKey(row), key }) : key]);
      process.stderr.write(
        `Key ${row.id} (${sanitize(row.name)}: ${row.scopes.join(', ')}) was made. Keep it now: it is not shown again.\n`,
      );
      return exitCodes.judged;
    },
    { make: true },
  );
}

const flagOf = { name: '--name', scopes: '--scope', reviewer: '--reviewer', expiresAt: '--expires' };

function newKeyFrom({ name, scope, reviewer, expires }: KeysCreateFlags): NewKey {
  const expiresAt = expires === undefined ? undefined : readFutureMoment('--expires', expires);
  const read = schemas.newApiKey.safeParse({ name, scopes: scope, reviewer, expiresAt: expiresAt?.toISOString() });
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    throw new AgonError(
      'bad-flag',
      `${flagOf[path[0] as keyof typeof flagOf]}: ${message}.`,
      'See agon keys create --help.',
    );
  }
  return { name: read.data.name, scopes: read.data.scopes, reviewer: read.data.reviewer, expiresAt };
}

/** `agon keys list`: the newest first. */
export function keysListCommand(flags: KeysFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const rows = await ledger.keys.listKeys();
    if (flags.json) printLines(rows.map((row) => JSON.stringify(shownKey(row))));
    else if (rows.length === 0)
      printLines(['There is no key yet: agon keys create --name NAME --scope judge makes one.']);
    else
      printLines(
        fitLines(
          formatTable(
            [
              ['key', 'name', 'scopes', 'reviewer', 'made', 'last used', 'state'],
              ...rows.map((row) => cells(row, new Date())),
            ],
            [0, 1, 2, 3, 4, 5, 6],
          ),
        ),
      );
    return exitCodes.judged;
  });
}

function cells(
  { id, name, scopes, reviewer, createdAt, lastUsedAt, expiresAt, revokedAt }: ApiKeyRow,
  now: Date,
): string[] {
  const state = revokedAt
    ? `revoked ${formatMoment(revokedAt)}`
    : expiresAt === null
      ? 'in use'
      : `${expiresAt > now ? 'until' : 'expired'} ${formatMoment(expiresAt)}`;
  return [
    id,
    sanitize(name),
    scopes.join(', '),
    sanitize(reviewer ?? '–'),
    formatMoment(createdAt),
    lastUsedAt ? formatMoment(lastUsedAt) : 'never',
    state,
  ];
}

/** `agon keys revoke ID`. */
export function keysRevokeCommand(id: string, flags: KeysFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const keys = await openKeys({ ledger, environment: {} });
    const row = await keys.revoke(readKey(id)?.id ?? id);
    printLines([
      flags.json
        ? JSON.stringify({ version: 1, ...shownKey(row) })
        : `Revoked ${row.id} (${sanitize(row.name)}). A server that runs turns it away within 5 seconds.`,
    ]);
    return exitCodes.judged;
  });
}
