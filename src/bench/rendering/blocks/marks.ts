import type { SystemSheet } from '../../sheet.ts';

const marks = { 'in-domain': '†', 'these-items': '‡' } as const;

/** What marks a figure of a system that had seen such data before. */
export function markOf({ trained }: Pick<SystemSheet, 'trained'>): string {
  return trained === null ? '' : marks[trained];
}

/** What the marks mean, as far as they occur. */
export function markNotes(systems: readonly Pick<SystemSheet, 'trained'>[]): string[] {
  const seen = new Set(systems.map(({ trained }) => trained));
  return [
    ...(seen.has('in-domain')
      ? ['† trained in-domain: a model of this system was trained on other items of the same data.']
      : []),
    ...(seen.has('these-items')
      ? ['‡ trained on these very items: no measure of how it does on new ones, and never marked as the best.']
      : []),
  ];
}
