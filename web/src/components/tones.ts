/* What colours stand for, as classes: the style sheet has no other colours. Tailwind reads them here, spelled out. */

export type Tone = 'risk' | 'exoneration' | 'caution' | 'implicit' | 'both' | 'quiet';
/** What a passage is marked for. */
export type MarkTone = Exclude<Tone, 'quiet'>;
/** Whose line a drawing shows. */
export type SeriesTone = 'risk' | 'exoneration' | 'implicit' | 'both' | 'quiet' | 'ink';

/** Joins the classes that apply. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

/** A tinted ground with its edge. */
export const panels: Record<Tone, string> = {
  risk: 'border-risk bg-risk-ground',
  exoneration: 'border-exoneration bg-exoneration-ground',
  caution: 'border-caution bg-caution-ground',
  implicit: 'border-implicit bg-implicit-ground',
  both: 'border-both bg-both-ground',
  quiet: 'border-line bg-paper',
};

export const texts: Record<Tone, string> = {
  risk: 'text-risk',
  exoneration: 'text-exoneration',
  caution: 'text-caution',
  implicit: 'text-implicit',
  both: 'text-both',
  quiet: 'text-quiet',
};

/** A full colour, for bars. */
export const grounds: Record<Tone, string> = {
  risk: 'bg-risk',
  exoneration: 'bg-exoneration',
  caution: 'bg-caution',
  implicit: 'bg-implicit',
  both: 'bg-both',
  quiet: 'bg-quiet',
};

export const edges: Record<Tone, string> = {
  risk: 'border-risk',
  exoneration: 'border-exoneration',
  caution: 'border-caution',
  implicit: 'border-implicit',
  both: 'border-both',
  quiet: 'border-quiet',
};

export const topEdges: Record<SeriesTone, string> = {
  risk: 'border-t-risk',
  exoneration: 'border-t-exoneration',
  implicit: 'border-t-implicit',
  both: 'border-t-both',
  quiet: 'border-t-line',
  ink: 'border-t-link',
};

/** Words of a text that are marked. */
export const markLooks: Record<MarkTone, string> = {
  risk: 'bg-risk-ground decoration-risk',
  exoneration: 'bg-exoneration-ground decoration-exoneration',
  implicit: 'bg-implicit-ground decoration-implicit',
  both: 'bg-both-ground decoration-both',
  caution: 'bg-caution-ground decoration-caution',
};

export const strokes: Record<SeriesTone, string> = {
  risk: 'stroke-risk',
  exoneration: 'stroke-exoneration',
  implicit: 'stroke-implicit',
  both: 'stroke-both',
  quiet: 'stroke-quiet',
  ink: 'stroke-ink',
};

export const fills: Record<SeriesTone, string> = {
  risk: 'fill-risk',
  exoneration: 'fill-exoneration',
  implicit: 'fill-implicit',
  both: 'fill-both',
  quiet: 'fill-quiet',
  ink: 'fill-ink',
};
