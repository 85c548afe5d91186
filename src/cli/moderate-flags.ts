import type { SettingsFlags } from './settings-flags.ts';

/** The flags of `agon moderate`, as commander hands them over. */
export interface ModerateFlags extends SettingsFlags {
  image?: string[];
  imageDescription?: string[];
  stdin?: boolean;
  file?: string;
  out?: string;
  root?: string;
  concurrency: number;
  order: 'input' | 'as-done';
  json?: boolean;
  report?: string[];
  appeal?: string;
  failOn?: string[];
  quiet?: boolean;
}
