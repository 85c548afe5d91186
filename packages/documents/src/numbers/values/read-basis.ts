import { pattern } from '@agonhq/engine/text';

/** On what basis a figure is told: as it was first reported, as it was restated, or on another one than the books'. */
export type Basis = 'restated' | 'original' | 'adjustment' | 'pro forma';

const bases: readonly [RegExp, Basis][] = [
  [
    pattern('i')`
      \b(?:as )?(?:previously|originally|initially|first) (?:reported|stated|published|presented|filed|disclosed)\b
      |\bas (?:reported|published)\b(?=[^.;]*\brestate)|\b(?:before|prior to) (?:the )?restatements?\b`,
    'original',
  ],
  [
    pattern('i')`
      \b(?:restatements?|reclassifications?|corrections?)(?: adjustments?)?\b(?! of)|\beffects? of (?:the )?
      (?:restatement|adoption|correction|revision)\b`,
    'adjustment',
  ],
  [pattern('i')`\b(?:as )?(?:restated|revised|recast|corrected|reclassified|re-presented)\b`, 'restated'],
  [/\bpro[ -]?forma\b/i, 'pro forma'],
];

/** What a text says of its basis, and where. */
export function findBasis(text: string): { basis: Basis; start: number; end: number } | null {
  for (const [expression, basis] of bases) {
    const match = expression.exec(text);
    if (match !== null) return { basis, start: match.index, end: match.index + match[0].length };
  }
  return null;
}

/** A label without the words for its basis. */
export function dropBasis(label: string): string {
  const found = findBasis(label);
  return found === null ? label : `${label.slice(0, found.start)} ${label.slice(found.end)}`;
}

/** Null for what says nothing of it: the figure of the books. */
export function readBasis(text: string): Basis | null {
  return findBasis(text)?.basis ?? null;
}
