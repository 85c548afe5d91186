import type { EvaluateFlags } from './evaluate-flags.ts';

/** The flags of `agon evaluate --target`, as commander hands them over. */
export interface CollectFlags extends EvaluateFlags {
  prompts?: string;
  attacks?: string[];
  evaluators?: string[];
  hard?: string;
  targetSystem?: string;
  targetTokens?: number;
  targetTemperature?: number;
}

/** Flags that mean something with --target only. */
export const targetFlags = {
  prompts: '--prompts',
  attacks: '--attacks',
  evaluators: '--evaluators',
  hard: '--hard',
  targetSystem: '--target-system',
  targetTokens: '--target-tokens',
  targetTemperature: '--target-temperature',
} as const satisfies Partial<Record<keyof CollectFlags, string>>;
