import type { LlmSettings } from '../reasoners/index.ts';
import type { Settings } from './schema.ts';

/** Of all settings those that say how models are reached, limited, paid and watched. */
export function llmSettingsOf({ providers, models, defaults, cache, budget, telemetry }: Settings): LlmSettings {
  return { providers, models, defaults, cache, budget, telemetry };
}
