import type { ManyFlags } from './judge-many.ts';
import type { OneFlags } from './judge-one.ts';
import type { ModerationSettingsFlags } from './settings-flags.ts';

/** The flags of `agon moderate`, as commander hands them over. */
export interface ModerateFlags extends ModerationSettingsFlags, OneFlags, ManyFlags {
  image?: string[];
  imageDescription?: string[];
  stdin?: boolean;
  file?: string;
  root?: string;
  appeal?: string;
}
