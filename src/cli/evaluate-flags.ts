import type { ManyFlags } from './judge-many.ts';
import type { OneFlags } from './judge-one.ts';
import type { EvaluationSettingsFlags } from './settings-flags.ts';

/** The flags of `agon evaluate`, as commander hands them over. */
export interface EvaluateFlags extends EvaluationSettingsFlags, OneFlags, ManyFlags {
  prompt?: string;
  response?: string;
  messages?: string;
  evaluatedModel?: string;
  stdin?: boolean;
  file?: string;
  /** A model that is asked, instead of exchanges that are given. */
  target?: string;
}
