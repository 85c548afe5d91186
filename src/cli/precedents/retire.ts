import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { addPrecedentsFlags, withPrecedents, type PrecedentsFlags } from './with-precedents.ts';

/** `agon precedents retire ID --why TEXT` */
export function define(command: Command): void {
  command
    .description('Take a precedent out of use. It stays on record with the reason.')
    .argument('<id>', 'id of the precedent')
    .requiredOption('--why <text>', 'reason');
  addPrecedentsFlags(command);
  addExamples(command, ['agon precedents retire learnt-5be2a90c11d4 --why "The clause was repealed."']);
  setAction(command, retire);
}

async function retire(id: string, flags: PrecedentsFlags & { why: string }): Promise<number> {
  const { retirePrecedent } = await import('../../precedents/index.ts');
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const retired = await retirePrecedent(id, flags.why, seeds, ledger.precedents);
    printLines([flags.json ? JSON.stringify(retired) : `Retired ${sanitize(id)}: ${sanitize(retired.overruledBy!)}`]);
  });
}
