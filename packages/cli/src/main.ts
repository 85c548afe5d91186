import { CommanderError } from 'commander';
import { commandGroups } from './commands.ts';
import { endWithOutput, exitCodeOf, exitCodes, printError } from './print-error.ts';
import { createProgram } from './program.ts';

endWithOutput();
try {
  const program = await createProgram(commandGroups, process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  else {
    printError(error);
    process.exitCode = exitCodeOf(error);
  }
}
