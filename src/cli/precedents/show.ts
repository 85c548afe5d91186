import type { Command } from 'commander';
import type { KeptPrecedent } from '../../precedents/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { printLines } from '../terminal/style.ts';
import {
  addPrecedentsFlags,
  formatPrecedent,
  indentText,
  withPrecedents,
  type PrecedentsFlags,
} from './with-precedents.ts';

/** `agon precedents show ID` */
export function define(command: Command): void {
  command.description('Show one precedent.').argument('<id>', 'id of the precedent');
  addPrecedentsFlags(command);
  addExamples(command, ['agon precedents show seed-0062', 'agon precedents show seed-0062 --json']);
  setAction(command, showPrecedent);
}

async function showPrecedent(id: string, flags: PrecedentsFlags): Promise<number> {
  const { findPrecedent } = await import('../../precedents/index.ts');
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const precedent = await findPrecedent(id, seeds, ledger.precedents);
    printLines(flags.json ? [JSON.stringify(precedent)] : renderPrecedent(precedent));
  });
}

function renderPrecedent(precedent: KeptPrecedent): string[] {
  const { text, cues, why, provenance, confirmedBy, clause, overruledBy, expiresAt, createdAt, policy } = precedent;
  const { kind, ...origin } = provenance;
  const origins = [kind, ...Object.entries(origin).map(([field, value]) => `${field} ${value}`)].join(', ');
  return [
    formatPrecedent(precedent),
    ...indentText(`Why: ${why}`),
    ...(cues.length > 0 ? indentText(`Cues: ${cues.join('; ')}`) : []),
    ...indentText(`Text: ${text}`),
    ...(clause === null ? [] : indentText(`Clause: ${clause}`)),
    ...indentText(`Origin: ${origins}; confirmed by ${confirmedBy}; ${createdAt}`),
    ...(policy === null ? [] : indentText(`Policy: ${policy.name} ${policy.version} ${policy.hash}`)),
    ...(overruledBy === null ? [] : indentText(`Overruled by: ${overruledBy}`)),
    ...(expiresAt === null ? [] : indentText(`Expires: ${expiresAt}`)),
  ];
}
