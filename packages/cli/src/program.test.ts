import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { commandGroups } from './commands.ts';
import { createProgram } from './program.ts';

/** The help of every command as a terminal of 80 columns prints it. */
async function* listHelps(names: readonly string[] = []): AsyncGenerator<[name: string, help: string]> {
  const program = await createProgram(commandGroups, [...names, '--help']);
  const command = names.reduce<Command>((above, name) => above.commands.find((one) => one.name() === name)!, program);
  let help = '';
  command.configureOutput({
    writeOut: (text) => (help += text),
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  yield [names.join(' '), help];
  for (const { name } of command.commands.map((one) => ({ name: one.name() })))
    if (name !== 'help') yield* listHelps([...names, name]);
}

test('no line of any help is wider than a terminal, and a shell reads every example as it stands', async () => {
  const helps: [name: string, help: string][] = [];
  for await (const each of listHelps()) helps.push(each);
  expect(helps.length).toBeGreaterThan(60);
  const wide = helps.flatMap(([name, help]) =>
    help
      .split('\n')
      .filter((line) => line.length > 80)
      .map((line) => `${name}: ${line}`),
  );
  expect(wide).toEqual([]);
  const evaluate = helps.find(([name]) => name === '')![1];
  expect(evaluate).toContain('--response \\\n      "I cannot help with that."');
});
