import type { Command } from 'commander';

/** Adds flags, help and action to a command that has only a name. */
export type DefineCommand = (command: Command) => void | Promise<void>;

/** Runs `action` with the arguments and flags of the command; what it returns is the exit code. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the flags' types are the command's own
export function setAction<Given extends unknown[]>(
  command: Command,
  action: (...given: Given) => Promise<number> | number,
): void {
  command.action(async (...given: unknown[]) => {
    // Commander hands over what was declared: arguments, then flags, then the command itself.
    process.exitCode = await action(...(given as Given));
  });
}

/** Ends the help with examples, and with a note where there is more to know. */
export function addExamples(command: Command, examples: readonly string[], note?: string): void {
  const lines = examples.map((example) => `  ${example}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${lines}\n${note === undefined ? '' : `\n${note}\n`}`);
}
