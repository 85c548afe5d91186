import type { Command } from 'commander';
import type { KeptPrecedent } from '../../precedents/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { positive } from '../flags.ts';
import { formatCount } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import {
  addFilterFlags,
  addPrecedentsFlags,
  formatLabel,
  formatPrecedent,
  indentText,
  readFilter,
  withPrecedents,
  type FilterFlags,
  type PrecedentsFlags,
} from './with-precedents.ts';

/** `agon precedents list` */
export function definePrecedentsList(command: Command): void {
  command.description('List precedents, one per line.');
  addFilterFlags(command);
  addExamples(command, ['agon precedents list', 'agon precedents list --state proposed --json']);
  setAction(command, printPrecedents);
}

async function printPrecedents(flags: FilterFlags): Promise<number> {
  const { listPrecedents } = await import('../../precedents/index.ts');
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    let count = 0;
    for await (const precedent of listPrecedents(seeds, ledger.precedents, readFilter(flags))) {
      count += 1;
      process.stdout.write(flags.json ? `${JSON.stringify(precedent)}\n` : `${formatPrecedent(precedent)}\n`);
    }
    if (!flags.json) process.stdout.write(`${style('dim', formatCount(count, 'precedent'))}\n`);
  });
}

/** `agon precedents show ID` */
export function definePrecedentsShow(command: Command): void {
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

/** `agon precedents search TEXT` */
export function definePrecedentsSearch(command: Command): void {
  command
    .description('Find the precedents that a debate about a text would see.')
    .argument('<text>', 'text that would be judged')
    .option('--limit <n>', 'find at most n precedents', positive, 10);
  addPrecedentsFlags(command);
  addExamples(command, [
    'agon precedents search "how to kill a process"',
    'agon precedents search "send me your password" --limit 3 --json',
  ]);
  setAction(command, searchPrecedents);
}

async function searchPrecedents(text: string, flags: PrecedentsFlags & { limit: number }): Promise<number> {
  return withPrecedents(flags, async ({ library }) => {
    const opened = await library({
      onProgress: ({ done, total }) => process.stderr.write(`Embedded ${done} of ${total} precedents.\n`),
    });
    const retrieval = await opened.search({ text, limit: flags.limit, signal: new AbortController().signal });
    if (flags.json) return printLines([JSON.stringify(retrieval)]);
    const { precedents, excluded, furtherExcluded = 0, library: state } = retrieval;
    const lines = precedents.flatMap(({ id, label, category, summary, cues, why, similarity }) => [
      `${similarity.toFixed(3)} ${formatLabel(label)} ${style('cyan', sanitize(id))} ` +
        style('dim', sanitize(category ?? '')),
      ...indentText(summary),
      ...(why === undefined ? [] : indentText(`Why: ${why}`)),
      ...(cues.length > 0 ? indentText(`Cues: ${cues.join('; ')}`) : []),
    ]);
    printLines([
      ...(lines.length > 0 ? lines : ['No precedent is similar.']),
      ...excluded.map(({ id, reason }) => style('dim', `Not shown: ${sanitize(id)} (${reason})`)),
      ...(furtherExcluded > 0 ? [style('dim', `Not shown: ${furtherExcluded} more`)] : []),
    ]);
    if (state.problem !== null) process.stderr.write(style('yellow', `${sanitize(state.problem)}\n`));
  });
}
