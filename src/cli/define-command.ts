import type { Command } from 'commander';
import type { LedgerFlags, OpenLedger } from './open-ledger.ts';

/** Adds flags, help and action to a command that has only a name. */
export type DefineCommand = (command: Command) => void | Promise<void>;

/** Runs `action` with the arguments and flags of the command. What it returns is the exit code; without one, 0. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the flags' types are the command's own
export function setAction<Given extends unknown[]>(
  command: Command,
  action: (...given: Given) => Promise<number | void> | number,
): void {
  command.action(async (...given: unknown[]) => {
    // Commander hands over what was declared: arguments, then flags, then the command itself.
    process.exitCode = (await action(...(given as Given))) ?? 0;
  });
}

/** The same while the ledger is open that the flags name. Only with `create` it is made where there is none. */
export function setLedgerAction<Given extends unknown[]>(
  command: Command,
  action: (open: OpenLedger, ...given: Given) => Promise<number | void>,
  options: { create?: boolean } = {},
): void {
  setAction(command, async (...given: Given) => {
    const { withLedger } = await import('./open-ledger.ts');
    const flags = given.at(-2) as LedgerFlags;
    return withLedger(flags, (ledger, settings) => action({ ledger, settings }, ...given), options);
  });
}

/** Ends the help with examples, and with a note where there is more to know. */
export function addExamples(command: Command, examples: readonly string[], note?: string): void {
  const lines = examples.map((example) => `  ${example}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${lines}\n${note === undefined ? '' : `\n${note}\n`}`);
}
