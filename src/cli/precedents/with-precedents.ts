import { Option, type Command } from 'commander';
import type { Precedents } from '../../app/index.ts';
import type { SafetyLabel } from '../../debate/index.ts';
import type { KeptPrecedent, PrecedentFilter } from '../../precedents/index.ts';
import { addLedgerFlags } from '../flags.ts';
import { exitCodes } from '../print-error.ts';
import { sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';

export interface PrecedentsFlags {
  config?: string;
  ledger?: string;
  policy?: string;
  json?: boolean;
}

export interface FilterFlags extends PrecedentsFlags {
  state?: KeptPrecedent['state'];
  label?: KeptPrecedent['label'];
  category?: string;
}

export function addPrecedentsFlags(command: Command): Command {
  return addLedgerFlags(command)
    .option('--policy <file>', 'policy whose clauses the built-in precedents cite')
    .option('--json', 'print JSON');
}

export function addFilterFlags(command: Command): Command {
  return addPrecedentsFlags(command)
    .addOption(
      new Option('--state <state>', 'only precedents in this state').choices([
        'active',
        'proposed',
        'retired',
        'overruled',
      ]),
    )
    .addOption(new Option('--label <label>', 'only precedents with this label').choices(['safe', 'unsafe']))
    .option('--category <id>', 'only precedents of this category');
}

/** Opens the built-in precedents and those of the ledger, does something with them, and closes the ledger. */
export async function withPrecedents(
  flags: PrecedentsFlags,
  work: (precedents: Precedents) => Promise<void>,
): Promise<number> {
  const { openPrecedents } = await import('../../app/index.ts');
  const { mergeSettings, readSettings, settingsFromFile } = await import('../../settings/index.ts');
  const settings = mergeSettings(
    await settingsFromFile({ file: flags.config, folder: process.cwd() }),
    readSettings(
      {
        ...(flags.policy === undefined ? {} : { policy: flags.policy }),
        ...(flags.ledger === undefined ? {} : { ledger: flags.ledger }),
      },
      'flags',
    ),
  );
  const precedents = await openPrecedents(settings);
  try {
    await work(precedents);
    return exitCodes.judged;
  } finally {
    await precedents.close();
  }
}

export function readFilter({ state, label, category }: FilterFlags): PrecedentFilter {
  return { state, label, category };
}

/** One line: id, label, category, state unless active, summary. */
export function formatPrecedent({ id, label, category, summary, state }: KeptPrecedent): string {
  return [
    style('cyan', sanitize(id)),
    formatLabel(label),
    style('dim', sanitize(category ?? 'none')),
    ...(state === 'active' ? [] : [style('yellow', state)]),
    sanitize(summary),
  ].join(' ');
}

export function formatLabel(label: SafetyLabel): string {
  return style(label === 'unsafe' ? 'red' : 'green', label);
}

export function indentText(text: string): string[] {
  return wrapText(sanitize(text), (process.stdout.columns ?? 100) - 2).map((line) => `  ${line}`);
}
