import type { DefineCommand } from './define-command.ts';

/** A command: its line in the help of the command above, and the file that defines it or the commands below it. */
export interface CommandEntry {
  summary: string;
  load?: () => Promise<DefineCommand>;
  /** Without a file. */
  description?: string;
  examples?: readonly string[];
  commands?: CommandEntries;
}

export type CommandEntries = Readonly<Record<string, CommandEntry>>;

export function command<Name extends string>(
  summary: string,
  load: () => Promise<Record<Name, DefineCommand>>,
  define: Name,
): CommandEntry {
  return { summary, load: async () => (await load())[define] };
}
