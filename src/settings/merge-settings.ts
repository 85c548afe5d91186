import type { Settings } from './schema.ts';

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
