import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addLedgerFlags } from '../flags.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { printLines, sanitize } from '../terminal/style.ts';

/** `agon keys revoke ID` */
export function define(command: Command): void {
  command
    .description('Revoke a key for good. It stays on record.')
    .argument('<id>', 'id of the key, or the key itself')
    .option('--json', 'print the revoked key as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon keys revoke 3f9a0c5be211']);
  setAction(command, revokeKey);
}

async function revokeKey(id: string, flags: LedgerFlags & { json?: boolean }): Promise<number> {
  const { openKeys, readKey, shownKey } = await import('../../server/auth/index.ts');
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(flags, async (ledger) => {
    const keys = await openKeys({ ledger, environment: {} });
    const row = await keys.revoke(readKey(id)?.id ?? id);
    printLines([
      flags.json
        ? JSON.stringify({ version: 1, ...shownKey(row) })
        : `Revoked ${row.id} (${sanitize(row.name)}). Running servers reject it within 5 seconds.`,
    ]);
    return exitCodes.judged;
  });
}
