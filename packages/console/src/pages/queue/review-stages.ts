import type { QueueRow } from '../../api/client.ts';
import type { ColourTone } from '../../components/tones.ts';

/* What the queue calls things. */

export const stages = ['first', 'second', 'dispute'] as const;
export type Stage = (typeof stages)[number];

export const stageNames: Record<Stage, string> = {
  first: 'First review',
  second: 'Second review',
  dispute: 'Disputes',
};

export const stageLeads: Record<Stage, string> = {
  first: 'Cases the machine is unsure about, and quality samples. Nobody has decided them yet.',
  second: 'Someone overruled the machine, or decided what it left open. You decide without seeing their decision.',
  dispute: 'Two reviewers disagree. You see both decisions, and settle the case.',
};

export const reasonLooks: Record<QueueRow['why'][number], { words: string; tone: ColourTone }> = {
  undecided: { words: 'Undecided', tone: 'caution' },
  escalated: { words: 'Escalated', tone: 'caution' },
  degraded: { words: 'Degraded', tone: 'caution' },
  disagreement: { words: 'Strong disagreement', tone: 'both' },
  'near-threshold': { words: 'Close call', tone: 'quiet' },
  'second-review': { words: 'Second review', tone: 'implicit' },
  'reviewers-disagree': { words: 'Reviewers disagree', tone: 'both' },
  appealed: { words: 'Appealed', tone: 'implicit' },
  sampled: { words: 'Quality sample', tone: 'implicit' },
};

/** Where a case stands after a decision. */
export const stageOutcomes: Record<'first' | 'second' | 'dispute' | 'done', string> = {
  first: 'It waits for a first review.',
  second: 'Another reviewer decides next, without seeing your decision.',
  dispute: 'The other reviewer disagreed, so a third one settles it.',
  done: 'The case is settled.',
};
