import { once } from 'node:events';
import type { Command } from 'commander';
import { addExamples, choice, orders, setLedgerAction, addLedgerFlags, runArgument } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import { formatCount } from '../terminal/format.ts';
import { sanitize } from '../terminal/style.ts';

interface ExportFlags extends LedgerFlags {
  out?: string;
  order: 'input' | 'as-done';
  format?: 'jsonl' | 'csv';
  only?: 'done' | 'failed';
}

/** `agon runs export RUN` */
export function defineRunsExport(command: Command): void {
  command
    .description(
      'Write the results of a run, one {line, key, result | error} per line. Items without a result are left out; ' +
        'the file appears when it is complete.',
    )
    .argument('<run>', runArgument)
    .option('--out <file>', 'write to this file (default: standard output)')
    .addOption(choice('--order <order>', 'order of the input, or order in which items were judged', orders, 'input'))
    .addOption(
      choice(
        '--format <format>',
        'jsonl: complete answers; csv: one row per verdict (default: by the name of --out, or jsonl)',
        ['jsonl', 'csv'],
      ),
    )
    .addOption(choice('--only <which>', 'only judged items, or only failed ones', ['done', 'failed']));
  addLedgerFlags(command);
  addExamples(command, [
    'agon runs export nightly --out results.jsonl',
    'agon runs export nightly --out verdicts.csv',
    'agon runs export nightly --only failed | jq .error.message',
  ]);
  setLedgerAction(command, exportRun);
}

async function exportRun({ ledger }: OpenLedger, name: string, flags: ExportFlags): Promise<number | void> {
  const { renderExportLines, requireRun, saveLines } = await import('../../runs/index.ts');
  const { id } = await requireRun(ledger, name);
  const format = flags.format ?? (flags.out?.endsWith('.csv') ? 'csv' : 'jsonl');
  const lines = renderExportLines(ledger, id, { order: flags.order, only: flags.only, format });
  const interrupt = listenForInterrupt();
  try {
    if (flags.out === undefined) {
      for await (const line of lines) {
        if (interrupt.signal.aborted) return exitCodes.stopped;
        if (!process.stdout.write(line)) await waitForDrain(interrupt.signal);
      }
    } else {
      const written = await saveLines(flags.out, lines, { signal: interrupt.signal });
      const results = formatCount(format === 'csv' ? written - 1 : written, 'result');
      process.stderr.write(`Wrote ${results} to ${sanitize(flags.out)}.\n`);
    }
  } finally {
    interrupt.dispose();
  }
}

/** Until the reader has caught up, or nobody waits any more. */
async function waitForDrain(signal: AbortSignal): Promise<void> {
  await once(process.stdout, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
