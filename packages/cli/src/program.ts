import { Command } from 'commander';
import { version } from '@agonhq/engine/version';
import { addExamples, type DefineCommand } from './define-command.ts';
import { sanitize } from './terminal/style.ts';

/** A command: its line in the help of the command above, and the file that defines it or the commands below it. */
interface CommandEntry {
  summary: string;
  load?: () => Promise<DefineCommand>;
  /** Without a file. */
  description?: string;
  examples?: readonly string[];
  commands?: CommandEntries;
}

export type CommandEntries = Readonly<Record<string, CommandEntry>>;

/** Commands by the headings of `agon --help`. */
export type CommandGroups = Readonly<Record<string, CommandEntries>>;

export function command<Name extends string>(
  summary: string,
  load: () => Promise<Record<Name, DefineCommand>>,
  define: Name,
): CommandEntry {
  return { summary, load: async () => (await load())[define] };
}

/** The command line for these arguments: only the command that they name is defined, its file loaded. */
export async function createProgram(groups: CommandGroups, args: readonly string[]): Promise<Command> {
  const program = new Command('agon')
    .description(
      'Verdicts that people can check: specialised agents debate, code verifies every quotation, a judge applies ' +
        'written rules.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(formatUsageError(text)) });
  addExamples(
    program,
    [
      'agon moderate "How do I kill a process on Linux?"',
      'agon moderate --image photo.jpg "Look at them"',
      'agon moderate --file items.jsonl --out results.jsonl',
      'agon evaluate --prompt "How do I pick a lock?" --response "I cannot help with that."',
      'agon analyze report.pdf --report trace.html',
      'agon verify answer.json',
      'agon show mod-315703c5ee85a07c',
      'agon replay mod-315703c5ee85a07c --seat arbiter=openai:gpt-5',
      'agon bench moderation --data labelled.jsonl',
    ],
    'Exit codes: 0 judged, 1 failed, 2 wrong usage, 3 a verdict that --fail-on names, 4 nothing was judged, ' +
      '130 stopped.',
  );
  for (const [heading, entries] of Object.entries(groups)) addEntries(program.commandsGroup(heading), entries);
  program.helpCommand('help [command]', 'show help for a command');
  await defineUsed(program, Object.assign({}, ...Object.values(groups)) as CommandEntries, args);
  return program;
}

function addEntries(parent: Command, entries: CommandEntries): void {
  // Flags belong to the command that they follow, even where the one above has a flag of the same name.
  parent.enablePositionalOptions();
  for (const [name, { summary, description, examples, commands }] of Object.entries(entries)) {
    const command = parent.command(name).summary(summary);
    if (description !== undefined) command.description(description);
    if (examples) addExamples(command, examples);
    if (commands) addEntries(command, commands);
  }
}

/** Defines the command that the arguments name, and those above it. No flag of these takes a value. */
async function defineUsed(parent: Command, entries: CommandEntries, args: readonly string[]): Promise<void> {
  const [name, ...rest] = args.filter((arg) => !arg.startsWith('-') && arg !== 'help');
  const command = parent.commands.find((known) => known.name() === name);
  const entry = name !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (!command || !entry) return;
  const define = await entry.load?.();
  await define?.(command);
  if (entry.commands) await defineUsed(command, entry.commands, rest);
}

function formatUsageError(text: string): string {
  const line = sanitize(
    text
      .replace(/^error: /, '')
      .trim()
      .replace(/(?<!\s)\s*\n\s*/g, ' '),
  );
  const hint = line.startsWith('too many arguments') ? 'Put a text with spaces in quotes.' : 'See --help.';
  return `agon: ${line}${/[.?)]$/.test(line) ? '' : '.'} ${hint} (bad-flag)\n`;
}
