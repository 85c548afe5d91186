import { CommanderError } from 'commander';
import { endWithOutput, exitCodeOf, exitCodes, printError } from './print-error.ts';
import { createProgram } from './program.ts';

endWithOutput();
try {
  const [, , ...args] = process.argv;
  // `agon help show` is `agon show --help`, which loads the file of the command.
  const given = args[0] === 'help' && args.length > 1 ? [...args.slice(1), '--help'] : args;
  await createProgram().parseAsync(given, { from: 'user' });
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  else {
    printError(error);
    process.exitCode = exitCodeOf(error);
  }
}
