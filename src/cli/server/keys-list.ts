import type { Command } from 'commander';
import type { ApiKeyRow } from '../../ledger/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addLedgerFlags } from '../flags.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { formatMoment } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { fitLines, formatTable } from '../terminal/table.ts';

/** `agon keys list` */
export function define(command: Command): void {
  command
    .description('List keys, newest first, without their secrets.')
    .option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, ['agon keys list', "agon keys list --json | jq -r 'select(.lastUsedAt == null).id'"]);
  setAction(command, listKeys);
}

const heading = ['key', 'name', 'scopes', 'reviewer', 'created', 'last used', 'state'];

async function listKeys(flags: LedgerFlags & { json?: boolean }): Promise<number> {
  const { shownKey } = await import('../../server/auth/index.ts');
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(flags, async (ledger) => {
    const rows = await ledger.keys.listKeys();
    if (flags.json) printLines(rows.map((row) => JSON.stringify(shownKey(row))));
    else if (rows.length === 0)
      printLines(['There are no keys yet. Create one: agon keys create --name NAME --scope judge']);
    else {
      const cells = rows.map((row) => formatKey(row, new Date()));
      printLines(fitLines(formatTable([heading, ...cells], heading.keys().toArray())));
    }
    return exitCodes.judged;
  });
}

function formatKey(
  { id, name, scopes, reviewer, createdAt, lastUsedAt, expiresAt, revokedAt }: ApiKeyRow,
  now: Date,
): string[] {
  const state = revokedAt
    ? `revoked ${formatMoment(revokedAt)}`
    : expiresAt === null
      ? 'active'
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
