import { z } from 'zod';

/** Which commands take a setting as a flag. */
export type CommandKind = 'judge' | 'run' | 'bench' | 'resume' | 'serve' | 'mcp' | 'ledger';

/** What is said about a setting beside its type: flags, environment, help and documentation follow from it. */
export interface SettingNotes {
  /** What it is, in a few words. */
  help: string;
  /** What holds where it is not set, in words. */
  default?: string;
  /** What it takes, in words; by default what its type says. */
  values?: string;
  /** As the command line takes it: `--rounds <n>`, or `--no-ocr` to turn something off. None when absent. */
  flag?: string;
  /** What the flag does, where `help` does not say it. */
  flagHelp?: string;
  /** Which commands take the flag; those that judge when absent. */
  commands?: readonly CommandKind[];
  /** Its environment variables, the strongest first, where they do not follow from its place; null for none. */
  variable?: string | readonly string[] | null;
  /** Reads it from the text of a flag or a variable, where its type does not say how. */
  read?(text: string): unknown;
  /** Whether it names a file or folder: in a file of settings that is relative to the file. */
  isPath?: boolean;
}

const registry = z.registry<SettingNotes>();

/**
 * A setting that may be left out, with what is said about it.
 *
 * @example setting(z.int().min(1).max(3), { help: 'rounds of debate', default: '2', flag: '--rounds <n>' })
 */
export function setting<Type extends z.ZodType>(type: Type, notes: SettingNotes): z.ZodOptional<Type> {
  return noteSetting(type.optional(), notes);
}

/** The same for a setting whose type says what holds where it is left out. */
export function noteSetting<Type extends z.ZodType>(type: Type, notes: SettingNotes): Type {
  registry.add(type, notes);
  return type;
}

export function findNotes(type: z.ZodType): SettingNotes | undefined {
  return registry.get(type) ?? (type.description === undefined ? undefined : { help: type.description });
}

/** The type itself, past what makes it optional. */
export function unwrapType(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodOptional || type instanceof z.ZodDefault || type instanceof z.ZodPrefault
    ? unwrapType(type.unwrap() as z.ZodType)
    : type;
}
