import type { QueueRow } from '../../api/types.ts';
import type { Tone } from '../../components/tones.ts';

/* What the queue calls things. */

export const stages = ['first', 'second', 'dispute'] as const;
export type Stage = (typeof stages)[number];

export const stageNames: Record<Stage, string> = {
  first: 'First review',
  second: 'Second review',
  dispute: 'Disputes',
};

export const stageLeads: Record<Stage, string> = {
  first: 'What the machine is unsure of, worst first. Nobody has decided yet.',
  second: 'Somebody contradicted the machine, or decided what it left open. You decide without knowing what they said.',
  dispute: 'Two reviewers disagree. You see what both said, and settle it.',
};

export const reasonLooks: Record<QueueRow['why'][number], { words: string; tone: Tone }> = {
  undecided: { words: 'Undecided', tone: 'caution' },
  escalated: { words: 'Asks for a person', tone: 'caution' },
  degraded: { words: 'Something failed', tone: 'caution' },
  disagreement: { words: 'Sides far apart', tone: 'both' },
  'low-confidence': { words: 'Unsure of itself', tone: 'quiet' },
  'near-threshold': { words: 'Close call', tone: 'quiet' },
  'second-review': { words: 'Second opinion', tone: 'implicit' },
  'reviewers-disagree': { words: 'Reviewers disagree', tone: 'both' },
  appealed: { words: 'Appealed', tone: 'implicit' },
};

/** Where a case stands after a decision. */
export const stageOutcomes: Record<'first' | 'second' | 'dispute' | 'done', string> = {
  first: 'It waits for a first review.',
  second: 'Another reviewer decides it next, without knowing what you said.',
  dispute: 'The other reviewer decided otherwise: a third one settles it.',
  done: 'It is settled.',
};

/** The most urgent case that nobody else looks at, and that was not passed by before. */
export function findNextCase(
  rows: readonly Pick<QueueRow, 'id' | 'heldBy'>[],
  passed: ReadonlySet<string>,
): string | null {
  return rows.find(({ id, heldBy }) => heldBy === null && !passed.has(id))?.id ?? null;
}
