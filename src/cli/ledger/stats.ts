import type { Command } from 'commander';
import type { LedgerStats } from '../../ledger/index.ts';
import { addExamples, setLedgerAction } from '../define-command.ts';
import { addLedgerFlags } from '../flags.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { formatCounts, formatInteger } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { formatRow } from '../terminal/table.ts';

/** `agon ledger stats` */
export function defineLedgerStats(command: Command): void {
  command.description('Count what the ledger holds.').option('--json', 'print the counts as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon ledger stats', 'agon ledger stats --ledger postgres://agon@db/agon --json']);
  setLedgerAction(command, printStats);
}

async function printStats({ ledger }: OpenLedger, flags: LedgerFlags & { json?: boolean }): Promise<void> {
  const stats = await ledger.readStats();
  printLines(flags.json ? [JSON.stringify({ version: 1, ...stats })] : renderStats(stats));
}

function renderStats(stats: LedgerStats): string[] {
  const counts = (byName: Record<string, number>) => formatCounts(byName) || 'none';
  const also = (value: number, what: string) => (value > 0 ? `, ${formatInteger(value)} ${what}` : '');
  const size = stats.bytes === null ? '' : `, ${formatSize(stats.bytes)}`;
  const rows: [string, string][] = [
    ['ledger', `${sanitize(stats.place)} (${stats.kind}, schema ${stats.schema}${size})`],
    ['cases', `${formatInteger(stats.debates)}${also(stats.unfinishedDebates, 'without a verdict')}`],
    ['subjects', `${formatInteger(stats.subjects)}${also(stats.forgottenSubjects, 'forgotten')}`],
    ['entries', formatInteger(stats.entries)],
    ['verdicts', counts(stats.verdicts)],
    ['decisions', formatInteger(stats.decisions)],
    ['precedents', counts(stats.precedents)],
    ['runs', formatInteger(stats.runs)],
    ['run items', counts(stats.runItems)],
    ['benches', `${formatInteger(stats.benches)}${also(stats.benchJudgements, 'judgements')}`],
    ['annotations', `${formatInteger(stats.annotations)}${also(stats.annotationVotes, 'votes')}`],
    ['cached answers', formatInteger(stats.cached)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, value]) => formatRow(`${name.padEnd(width)}  `, value));
}

function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? `${formatInteger(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
