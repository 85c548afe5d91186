import type { Settings } from './table.ts';

/** One layer over another: objects are merged key by key, everything else is replaced. The later is the stronger. */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  return layers.reduce<Settings>((below, above) => merge(below, above) as Settings, {});
}

function merge(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (!isPlainObject(below) || !isPlainObject(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(below[key], above[key])]));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * How models are reached, limited, paid and watched: in the words of settings, since those of the reasoners would
 * bring the providers' types with them.
 */
type LlmPart = Pick<Settings, 'providers' | 'models' | 'defaults' | 'cache' | 'budget' | 'telemetry'>;

/** Of all settings those that concern models. */
export function llmSettingsOf({ providers, models, defaults, cache, budget, telemetry }: Settings): LlmPart {
  return { providers, models, defaults, cache, budget, telemetry };
}
