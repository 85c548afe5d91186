import type { Settings } from './schema.ts';

/**
 * How models are reached, limited, paid and watched: in the words of settings, since those of the reasoners would
 * bring the providers' types with them.
 */
type LlmPart = Pick<Settings, 'providers' | 'models' | 'defaults' | 'cache' | 'budget' | 'telemetry'>;

/** Of all settings those that concern models. */
export function llmSettingsOf({ providers, models, defaults, cache, budget, telemetry }: Settings): LlmPart {
  return { providers, models, defaults, cache, budget, telemetry };
}
