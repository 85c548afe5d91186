import path from 'node:path';
import type { Command } from 'commander';
import type { FigureFormat } from '@agonhq/ledger/transparency';
import { badFlag } from '@agonhq/engine/agon-error';
import { addExamples, addLedgerFlags, setLedgerAction } from '../define-command.ts';
import { saveFile } from '../files.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { readPeriodFlags } from './statements.ts';

interface TransparencyFlags extends LedgerFlags {
  from: string;
  to?: string;
  out?: string;
  json?: boolean;
}

const formats: Record<string, FigureFormat> = {
  '.json': 'json',
  '.csv': 'csv',
  '.md': 'markdown',
  '.html': 'html',
};

/** `agon transparency` */
export function defineTransparency(command: Command): void {
  command
    .description(
      'Count what was decided in a time: by action, clause, language and source, automated or by people, appeals and ' +
        'how many were overturned, the median time to decide, and errors as far as people have found them.',
    )
    .requiredOption('--from <time>', 'decisions from this time on: 90d, 12h, 8w ago, or a date')
    .option('--to <time>', 'decisions before this time (default: now)')
    .option('--out <file>', 'write to this file: .json, .csv, .md or .html (default: Markdown to standard output)')
    .option('--json', 'print the figures as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon transparency --from 2026-01-01 --to 2026-07-01 --out report.html',
    'agon transparency --from 30d --json | jq .appeals',
  ]);
  setLedgerAction(command, countDecisions);
}

async function countDecisions({ ledger, settings }: OpenLedger, flags: TransparencyFlags): Promise<void> {
  const { countFigures, renderFigures } = await import('@agonhq/ledger/transparency');
  const format = flags.out === undefined ? undefined : formats[path.extname(flags.out).toLowerCase()];
  if (flags.out !== undefined && format === undefined)
    throw badFlag(
      `--out ${flags.out} is of no format that is known.`,
      'Name a file that ends in .json, .csv, .md or .html.',
    );
  const figures = await countFigures(ledger, readPeriodFlags(flags), settings.statements);
  if (flags.out === undefined || flags.json)
    printLines([renderFigures(figures, flags.json ? 'json' : 'markdown').trimEnd()]);
  if (flags.out === undefined) return;
  await saveFile(flags.out, renderFigures(figures, format!), 'Choose another file with --out.');
  process.stderr.write(`Wrote ${sanitize(flags.out)}.\n`);
}
