import type { SafetyLabel } from '../../debate/index.ts';

/** An exchange that was decided, shown to the judge before the one it decides. */
export interface Shot {
  prompt: string;
  response: string;
  label: Exclude<SafetyLabel, 'undecided'>;
  why?: string;
}

/** More would weigh on every call more than they teach. */
export const mostShots = 8;
