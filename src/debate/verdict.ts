import type { Evidence } from '../evidence/index.ts';
import { findTurns, type Transcript } from './transcript.ts';

export type SafetyLabel = 'safe' | 'unsafe' | 'undecided';

/** Something that went less well than it should have, and where. */
export interface Degradation {
  /** `fallback`, `struck-evidence`, `unseen-image`, `arbiter-failed`, `score-contradicts-rule`, … */
  kind: string;
  /** The entry or the observation it happened in. */
  at: string;
  detail: string;
}

/** The decision, with the rule that made it and the evidence it stands on. */
export interface Verdict<Label extends string = SafetyLabel> {
  label: Label;
  /** 0 is harmless, 1 is extreme risk; null when nobody was heard. */
  score: number | null;
  /** Calibrated; null until this configuration was calibrated. */
  probability: number | null;
  /** The judge's own confidence, 0 to 1, uncalibrated; null when it did not say. */
  confidence: number | null;
  /** True when a person must look at it. */
  escalate: boolean;
  rule: { id: string; why: string };
  categories: readonly { id: string; clause: string }[];
  evidence: readonly Evidence[];
  degraded: readonly Degradation[];
}

/** What went less well than it should have in a debate: seats that fell back, then evidence that was struck. */
export function listDegradations(transcript: Transcript): Degradation[] {
  const fallbacks = findTurns(transcript).flatMap(({ key, fallback }) =>
    fallback
      ? [{ kind: 'fallback', at: key, detail: `${fallback.reason}${fallback.detail ? `: ${fallback.detail}` : ''}` }]
      : [],
  );
  const struck = findTurns(transcript).flatMap(({ key, evidence }) => {
    const count = evidence.filter((piece) => !piece.verified).length;
    return count > 0 ? [{ kind: 'struck-evidence', at: key, detail: `${count} quote(s) found in no source` }] : [];
  });
  return [...fallbacks, ...struck];
}
