import { readScore } from '@agonhq/engine/statistics';
import type { Tables } from '../schema/tables.ts';
import type { ReviewStage } from './review-stage.ts';

/** What is known of a verdict that says how sure it is. */
export type Certainty = Pick<Tables['listing'], 'label' | 'escalate' | 'degraded' | 'disagreement' | 'risk' | 'bar'>;

/** Why a verdict is unsure, the gravest first. */
export const signs = ['undecided', 'escalated', 'degraded', 'disagreement', 'near-threshold'] as const;
export type Sign = (typeof signs)[number];

const wideDisagreement = 0.5;
const threshold = 0.5;
const nearThreshold = 0.1;

/**
 * How much a sign weighs, and how much more at its worst. No sign at its worst reaches the one before it, whatever
 * comes along with it.
 */
const weights: Record<Sign, { least: number; span: number }> = {
  undecided: { least: 1, span: 0 },
  escalated: { least: 0.9, span: 0 },
  degraded: { least: 0.8, span: 0 },
  disagreement: { least: 0.6, span: 0.15 },
  'near-threshold': { least: 0.2, span: 0.15 },
};
/** What each further sign adds. */
const perFurtherSign = 0.008;

/** How bad each sign is, 0 to 1; null where there is none. */
const badness: Record<Sign, (verdict: Certainty) => number | null> = {
  undecided: ({ label }) => (label === 'undecided' ? 1 : null),
  escalated: ({ escalate }) => (escalate === 1 ? 1 : null),
  degraded: ({ degraded }) => (degraded === 1 ? 1 : null),
  disagreement: ({ disagreement }) =>
    disagreement === null || disagreement < wideDisagreement
      ? null
      : clamp((disagreement - wideDisagreement) / (1 - wideDisagreement)),
  'near-threshold': ({ risk, bar }) => {
    if (risk === null || bar === null) return null;
    const distance = distanceToThreshold(readScore(risk, { bar }));
    return distance > nearThreshold ? null : clamp((nearThreshold - distance) / nearThreshold);
  },
};

/** What makes a verdict unsure; nothing where there is none yet, or where it is certain. */
export function findSigns(verdict: Certainty): Sign[] {
  return verdict.label === null ? [] : signs.filter((sign) => badness[sign](verdict) !== null);
}

/**
 * How much a verdict needs a person, 0 (it is certain) to 1 (it is none). The gravest sign decides, how bad it is comes
 * next, and each further sign adds a little: whatever gets worse about a verdict never makes it less urgent.
 */
export function measureUrgency(verdict: Certainty): number {
  const weighed = findSigns(verdict).map((sign) => weights[sign].least + weights[sign].span * badness[sign](verdict)!);
  return weighed.length === 0 ? 0 : Math.min(1, Math.max(...weighed) + perFurtherSign * (weighed.length - 1));
}

/**
 * How much further ahead a case waits for the gravest clause that its verdict names: what may be a plan to kill comes
 * before what nobody could read, and that before what may be an insult.
 */
const gravity: Record<string, number> = { low: 0.01, medium: 0.02, high: 0.12, critical: 0.2 };

/** Where a case stands in the queue, the highest first; 0 where its verdict is certain. */
export function rankCase({ severity, ...verdict }: Certainty & Pick<Tables['listing'], 'severity'>): number {
  const urgency = measureUrgency(verdict);
  return urgency === 0 ? 0 : urgency + (gravity[severity ?? ''] ?? 0);
}

/**
 * Why a case waits for a person: what its verdict is unsure of, and what people did about it. Never what the verdict
 * is.
 */
export type ReviewReason = Sign | 'second-review' | 'reviewers-disagree' | 'appealed' | 'sampled';

export function listReasons(
  verdict: Certainty,
  { stage, appealed, sampled = false }: { stage: ReviewStage; appealed: boolean; sampled?: boolean },
): ReviewReason[] {
  return [
    ...(stage === 'dispute'
      ? (['reviewers-disagree'] as const)
      : stage === 'second'
        ? (['second-review'] as const)
        : []),
    ...findSigns(verdict),
    ...(appealed ? (['appealed'] as const) : []),
    ...(sampled ? (['sampled'] as const) : []),
  ];
}

/** 0.6 − 0.5 is a little more than 0.1 to a computer. */
function distanceToThreshold(score: number): number {
  return Number(Math.abs(score - threshold).toFixed(9));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
