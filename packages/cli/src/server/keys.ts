import type { Command } from 'commander';
import { badFlag } from '@agonhq/engine/agon-error';
import type { ApiKeyRow } from '@agonhq/ledger';
import type { NewKey } from '@agonhq/server/auth';
import { addExamples, setAction, setLedgerAction, addLedgerFlags, list } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { readFutureMoment } from '../read-flags.ts';
import { readTeamName } from '../read-settings.ts';
import { formatMoment } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { fitLines, formatColumns, type PrintedColumn } from '../terminal/table.ts';

interface CreateFlags extends LedgerFlags {
  name: string;
  scope: string[];
  reviewer?: string;
  expires?: string;
  json?: boolean;
}

/** `agon keys create` */
export function defineKeysCreate(command: Command): void {
  command
    .description('Create a key and print it. It is shown only this once.')
    .requiredOption('--name <name>', 'name of the key in lists')
    .requiredOption(
      '--scope <scope>',
      'what the key may do: read (see cases), judge (submit content), review (decide cases and manage precedents), ' +
        'care (see the queue of known images), admin (everything) (repeatable)',
      list,
    )
    .option('--reviewer <name>', 'reviewer in whose name the key decides (default: the name of the key)')
    .option('--expires <time>', 'expiry: 90d, 12h or 8w from now, or a date (default: never)')
    .option('--json', 'print the key as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon keys create --name ci --scope judge --expires 90d',
    'agon keys create --name "Review desk" --scope read --scope review --reviewer mara',
    'agon keys create --team acme --name admin --scope admin',
    'export AGON_KEY=$(agon keys create --name laptop --scope admin)',
  ]);
  setAction(command, createKey);
}

/** Only the key goes to standard output, for scripts. */
async function createKey(flags: CreateFlags): Promise<void> {
  const { openKeys, shownKey } = await import('@agonhq/server/auth');
  const { withLedger } = await import('../open-ledger.ts');
  const wanted = await readNewKey(flags);
  return withLedger(
    flags,
    async (ledger) => {
      const keys = await openKeys({ ledger, environment: {}, team: readTeamName(flags) });
      const { row, key } = await keys.create(wanted);
      printLines([flags.json ? JSON.stringify({ version: 1, ...shownKey(row), key }) : key]);
      process.stderr.write(
        `Created key ${row.id} (${sanitize(row.name)}: ${row.scopes.join(', ')}). ` +
          'Store it now: it is not shown again.\n',
      );
    },
    { create: true },
  );
}

const flagNames = { name: '--name', scopes: '--scope', reviewer: '--reviewer', expiresAt: '--expires' };

async function readNewKey({ name, scope, reviewer, expires }: CreateFlags): Promise<NewKey> {
  const { schemas } = await import('@agonhq/server/api');
  const expiresAt = expires === undefined ? undefined : readFutureMoment('--expires', expires);
  const read = schemas.newApiKey.safeParse({ name, scopes: scope, reviewer, expiresAt: expiresAt?.toISOString() });
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    throw badFlag(`${flagNames[path[0] as keyof typeof flagNames]}: ${message}.`, 'See agon keys create --help.');
  }
  return { name: read.data.name, scopes: read.data.scopes, reviewer: read.data.reviewer, expiresAt };
}

/** `agon keys list` */
export function defineKeysList(command: Command): void {
  command
    .description('List keys, newest first, without their secrets.')
    .option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, ['agon keys list', "agon keys list --json | jq -r 'select(.lastUsedAt == null).id'"]);
  setLedgerAction(command, listKeys);
}

async function listKeys({ ledger }: OpenLedger, flags: LedgerFlags & { json?: boolean }): Promise<void> {
  const { shownKey } = await import('@agonhq/server/auth');
  const rows = await ledger.keys.listKeys();
  if (flags.json) printLines(rows.map((row) => JSON.stringify(shownKey(row))));
  else if (rows.length === 0)
    printLines(['There are no keys yet. Create one: agon keys create --name NAME --scope judge']);
  else printLines(fitLines(formatColumns(rows, columns, [...columns.keys()])));
}

const columns: PrintedColumn<ApiKeyRow>[] = [
  ['key', ({ id }) => id],
  ['name', ({ name }) => sanitize(name)],
  ['scopes', ({ scopes }) => scopes.join(', ')],
  ['reviewer', ({ reviewer }) => sanitize(reviewer ?? '–')],
  ['created', ({ createdAt }) => formatMoment(createdAt)],
  ['last used', ({ lastUsedAt }) => (lastUsedAt ? formatMoment(lastUsedAt) : 'never')],
  ['state', formatState],
];

function formatState({ expiresAt, revokedAt }: ApiKeyRow): string {
  if (revokedAt) return `revoked ${formatMoment(revokedAt)}`;
  if (expiresAt === null) return 'active';
  return `${expiresAt > new Date() ? 'until' : 'expired'} ${formatMoment(expiresAt)}`;
}

/** `agon keys revoke ID` */
export function defineKeysRevoke(command: Command): void {
  command
    .description('Revoke a key for good. It stays on record.')
    .argument('<id>', 'id of the key, or the key itself')
    .option('--json', 'print the revoked key as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon keys revoke 3f9a0c5be211']);
  setLedgerAction(command, revokeKey);
}

async function revokeKey({ ledger }: OpenLedger, id: string, flags: LedgerFlags & { json?: boolean }): Promise<void> {
  const { openKeys, readKey, shownKey } = await import('@agonhq/server/auth');
  const keys = await openKeys({ ledger, environment: {}, team: readTeamName(flags) });
  const row = await keys.revoke(readKey(id)?.id ?? id);
  printLines([
    flags.json
      ? JSON.stringify({ version: 1, ...shownKey(row) })
      : `Revoked ${row.id} (${sanitize(row.name)}). Running servers reject it within 5 seconds.`,
  ]);
}
