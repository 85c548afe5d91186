import { Option, type Command } from 'commander';
import { addConductFlags, addItemsFlags, addLedgerFlag, positive, share, type ItemsHelp } from '../flags.ts';
import type { ItemsFlags } from '../read-flags.ts';
import type { SettingsFlags } from '../read-settings.ts';
import type { ConductFlags } from './conduct-run.ts';

/** The flags of `agon run`, whatever the job. */
export interface RunFlags extends ConductFlags, ItemsFlags, SettingsFlags {
  file: string;
  name?: string;
  attempts: number;
  /** True without a file. */
  cascade?: string | true;
  risk?: number;
  confidence?: number;
  /** True without a number. */
  estimate?: number | true;
  detach?: boolean;
  evaluatedModel?: string;
}

export interface RunHelp extends ItemsHelp {
  fields: string;
  /** Whether the file has to be named by the flag. */
  isRequired?: boolean;
}

export function addRunFlags(command: Command, { fields, map, labels, root, isRequired = true }: RunHelp): void {
  command.addOption(
    new Option(
      '--file <items.jsonl>',
      `items, one JSON object per line (${fields}), or CSV with these columns; - reads standard input`,
    ).makeOptionMandatory(isRequired),
  );
  addItemsFlags(command, { map, labels, root })
    .option('--name <name>', 'name of the run, for `agon runs resume NAME`')
    .option('--attempts <n>', 'attempts before an item fails', positive, 3)
    .option('--estimate [items]', 'estimate the price of the run from a sample of items, and start nothing', positive)
    .option('--detach', 'with PostgreSQL: load the items and leave them to `agon worker`');
  addLedgerFlag(command);
  // Hidden, for those used to it from other commands: it is refused with a reason.
  command.addOption(new Option('--no-ledger').hideHelp());
  addConductFlags(command);
}

export function addCascadeFlags(command: Command): void {
  command
    .option(
      '--cascade [file]',
      'let the embedded guard decide clear items and debate the rest: bounds made by `agon cascade fit`, or labelled ' +
        'data to fit them on (default: decisions in the ledger)',
    )
    .option('--risk <share>', 'allow at most this share of wrong guard verdicts (default: 0.05)', share)
    .option('--confidence <share>', 'confidence of the bound (default: 0.95)', share);
}
