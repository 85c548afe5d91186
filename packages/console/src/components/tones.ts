/* What colours stand for, as classes: the style sheet has no other colours, and lists the ones that are made here. */

const marks = ['risk', 'exoneration', 'caution', 'implicit', 'both'] as const;
const tones = [...marks, 'quiet'] as const;
const series = ['risk', 'exoneration', 'implicit', 'both', 'quiet', 'ink'] as const;

/** What a passage is marked for. */
export type MarkTone = (typeof marks)[number];
export type ColourTone = (typeof tones)[number];
/** Whose line a drawing shows. */
export type SeriesTone = (typeof series)[number];

/** Joins the classes that apply. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

function byTone<Name extends string>(names: readonly Name[], write: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, write(name)])) as Record<Name, string>;
}

/** A tinted ground with its edge. */
export const panels = byTone(tones, (tone) =>
  tone === 'quiet' ? 'border-line bg-paper' : `border-${tone} bg-${tone}-ground`,
);
export const texts = byTone(tones, (tone) => `text-${tone}`);
/** A full colour, for bars. */
export const grounds = byTone(tones, (tone) => `bg-${tone}`);
export const edges = byTone(tones, (tone) => `border-${tone}`);
export const topEdges = byTone(
  series,
  (tone) => `border-t-${tone === 'quiet' ? 'line' : tone === 'ink' ? 'link' : tone}`,
);
/** Words of a text that are marked. */
export const markLooks = byTone(marks, (tone) => `bg-${tone}-ground decoration-${tone}`);
export const strokes = byTone(series, (tone) => `stroke-${tone}`);
export const fills = byTone(series, (tone) => `fill-${tone}`);
