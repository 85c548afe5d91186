import type { Command } from 'commander';
import type { AuditEntry } from '@agonhq/ledger';
import { addExamples, addLedgerFlags, positive, setLedgerAction } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { readPastMoment } from '../read-flags.ts';
import { formatMoment } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { fitLines, formatColumns, type PrintedColumn } from '../terminal/table.ts';

interface AuditFlags extends LedgerFlags {
  who?: string;
  operation?: string;
  since?: string;
  limit: number;
  json?: boolean;
}

/** `agon audit` */
export function defineAudit(command: Command): void {
  command
    .description('List who did what on the server, newest first.')
    .option('--who <name>', 'only of this person, reviewer or key')
    .option('--operation <id>', 'only this operation: queue.decide, keys.create, session.create …')
    .option('--since <time>', 'only from this time on: 12h, 7d or 4w ago, or a date')
    .option('--limit <n>', 'list at most n entries', positive, 50)
    .option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, [
    'agon audit',
    'agon audit --who mara --since 7d',
    "agon audit --limit 1000 --json | jq -r 'select(.status == 403).who'",
  ]);
  setLedgerAction(command, listAudit);
}

async function listAudit({ ledger }: OpenLedger, flags: AuditFlags): Promise<void> {
  const { who, operation, since } = flags;
  const filter = { who, operation, from: since === undefined ? undefined : readPastMoment('--since', since) };
  const { rows } = await ledger.audit.listEntries(filter, { limit: flags.limit });
  if (flags.json) printLines(rows.map((row) => JSON.stringify(row)));
  else if (rows.length === 0) printLines(['There is nothing of that kind in the audit log.']);
  else printLines(fitLines(formatColumns(rows, columns, [...columns.keys()])));
}

const columns: PrintedColumn<AuditEntry>[] = [
  ['when', ({ at }) => formatMoment(at)],
  ['who', ({ who }) => sanitize(who ?? '–')],
  ['what', ({ operation }) => sanitize(operation)],
  ['status', ({ status }) => String(status)],
  ['of', ({ target }) => sanitize(target ?? '–')],
  ['with', ({ what }) => sanitize(describeChoice(what))],
];

function describeChoice(what: AuditEntry['what']): string {
  return Object.entries(what)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join('+') : String(value)}`)
    .join(' ');
}
