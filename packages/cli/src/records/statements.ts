import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { badFlag } from '@agonhq/engine/agon-error';
import { cannotWriteError } from '@agonhq/engine/items/cannot-write';
import type { StatementOfReasons } from '@agonhq/ledger/transparency';
import { addExamples, addLedgerFlags, choice, setLedgerAction } from '../define-command.ts';
import { saveFile, savePieces } from '../files.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { printLine } from '../process.ts';
import { readPastMoment } from '../read-flags.ts';
import { printCount } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';

interface PeriodFlags extends LedgerFlags {
  from: string;
  to?: string;
  quotes?: boolean;
}

/** `agon statements show` */
export function defineStatementsShow(command: Command): void {
  command
    .description(
      'Print the statement of reasons of a case as JSON, with the members of the DSA Transparency Database as far as ' +
        'the record and the settings (`statements`) know them; the others are named in `notKnown`. For the person ' +
        'concerned there is `agon show ID --report notice`.',
    )
    .argument('<case>', 'id of the case, or its beginning')
    .option('--quotes', 'quote passages of the content, with personal data masked as far as it is found')
    .option('--out <file.json>', 'write it to this file (default: standard output)');
  addLedgerFlags(command);
  addExamples(command, [
    'agon statements show mod-315703c5ee85a07c',
    'agon statements show mod-315703c5ee85a07c | jq .statement.decision_ground',
  ]);
  setLedgerAction(command, showStatement);
}

async function showStatement(
  { ledger, settings }: OpenLedger,
  id: string,
  { quotes, out }: { quotes?: boolean; out?: string },
): Promise<void> {
  const { stateReasons } = await import('@agonhq/ledger/transparency');
  const { requireCase } = await import('@agonhq/core/retrials');
  const found = await requireCase(ledger, id);
  const stated = await stateReasons(ledger, found.id, { settings: settings.statements, quotes });
  const text = JSON.stringify(stated, null, 2);
  if (out === undefined) printLines([text]);
  else await saveFile(out, `${text}\n`, 'Choose another file with --out.');
}

/** `agon statements export` */
export function defineStatementsExport(command: Command): void {
  command
    .description('Write the statements of reasons for the decisions of a time, one for each that restricts content.')
    .requiredOption('--from <time>', 'decisions from this time on: 90d, 12h, 8w ago, or a date')
    .option('--to <time>', 'decisions before this time (default: now)')
    .addOption(
      choice(
        '--format <format>',
        'jsonl: one object per line; csv: a table; files: a folder with a file each',
        ['jsonl', 'csv', 'files'],
        'jsonl',
      ),
    )
    .option('--quotes', 'quote passages of the contents, with personal data masked as far as it is found')
    .option('--out <file>', 'write to this file, or with --format files to this folder (default: standard output)');
  addLedgerFlags(command);
  addExamples(command, [
    'agon statements export --from 2026-10-01 --to 2026-11-01 --out october.jsonl',
    'agon statements export --from 7d --format csv --out statements.csv',
    'agon statements export --from 24h --format files --out statements/',
  ]);
  setLedgerAction(command, exportStatements);
}

async function exportStatements(
  { ledger, settings }: OpenLedger,
  flags: PeriodFlags & { format: 'jsonl' | 'csv' | 'files'; out?: string },
): Promise<void> {
  const { listStatements, renderStatementsCsv } = await import('@agonhq/ledger/transparency');
  let count = 0;
  const statements = async function* () {
    for await (const one of listStatements(ledger, readPeriodFlags(flags), {
      settings: settings.statements,
      quotes: flags.quotes,
    })) {
      count += 1;
      yield one;
    }
  };
  if (flags.format === 'files') await saveEach(flags.out, statements());
  else {
    const lines = flags.format === 'csv' ? renderStatementsCsv(statements()) : renderLines(statements());
    if (flags.out === undefined) for await (const line of lines) await printLine(line);
    else await savePieces(flags.out, encode(lines), 'Choose another file with --out.');
  }
  if (flags.out !== undefined)
    process.stderr.write(`Wrote ${printCount(count, 'statement')} to ${sanitize(flags.out)}.\n`);
}

export function readPeriodFlags({ from, to }: PeriodFlags): { from: Date; to: Date } {
  const period = {
    from: readPastMoment('--from', from),
    to: to === undefined ? new Date() : readPastMoment('--to', to),
  };
  if (period.from >= period.to) throw badFlag('--from is not before --to.', 'Name an earlier time with --from.');
  return period;
}

async function saveEach(folder: string | undefined, statements: AsyncIterable<StatementOfReasons>): Promise<void> {
  if (folder === undefined) throw badFlag('--format files needs a folder.', 'Name it with --out.');
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw cannotWriteError(folder, error, 'Choose another folder with --out.');
  });
  for await (const one of statements) {
    const file = path.join(folder, `${String(one.statement.puid)}.json`);
    await saveFile(file, `${JSON.stringify(one, null, 2)}\n`, 'Choose another folder with --out.');
  }
}

async function* renderLines(statements: AsyncIterable<StatementOfReasons>): AsyncGenerator<string, void, void> {
  for await (const one of statements) yield `${JSON.stringify(one)}\n`;
}

async function* encode(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, void> {
  for await (const line of lines) yield Buffer.from(line);
}
