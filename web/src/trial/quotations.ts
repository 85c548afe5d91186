import type { Evidence } from '../api/types.ts';
import type { MarkTone } from '../components/plain-text.tsx';
import { readFindings, readStance } from './read-turn.ts';
import type { TrialView, TurnView } from './trial-view.ts';
import { seatOfRound } from './trial-words.ts';

/** A passage of a source that somebody quotes, and for what. */
export interface Quotation {
  /** `text:12-40`, the same for everybody who quotes these words. */
  place: string;
  source: string;
  start: number;
  end: number;
  tone: MarkTone;
  speaker: string;
}

/** Where a quotation stands; null when it stands nowhere, and was struck. */
export function quoteKey(evidence: Evidence): string | null {
  return evidence.verified ? `${evidence.source}:${evidence.start}-${evidence.end}` : null;
}

const sides: Record<string, MarkTone> = { 'strict-debater': 'risk', 'loose-debater': 'exoneration' };

/**
 * What a turn quotes for: a debater for its side, everybody else by what they say. Undefined for those who take no
 * side.
 */
export function findTurnTone(turn: TurnView): MarkTone | undefined {
  if (Object.hasOwn(sides, turn.role)) return sides[turn.role];
  if (turn.fallback !== null || turn.state !== 'said') return undefined;
  const { label, distribution } = readStance(turn);
  if (label === 'safe') return 'exoneration';
  if (label === 'unsafe') return distribution && distribution.implicit > distribution.explicit ? 'implicit' : 'risk';
  // A judge without a role says it by its score.
  return turn.role === 'judge' && turn.score !== null ? (turn.score >= 0.5 ? 'risk' : 'exoneration') : undefined;
}

/** Every quoted passage so far, by source. */
export function collectQuotations(
  view: Pick<TrialView, 'job' | 'turns' | 'verdict'>,
): ReadonlyMap<string, readonly Quotation[]> {
  const found = new Map<string, Map<string, Quotation>>();
  const quote = (evidence: readonly Evidence[], tone: MarkTone | undefined, speaker: string) => {
    if (tone === undefined) return;
    for (const piece of evidence) {
      if (!piece.verified) continue;
      const place = quoteKey(piece)!;
      const inSource = found.get(piece.source) ?? new Map<string, Quotation>();
      found.set(piece.source, inSource);
      // Once for each speaker and side, however often they say it.
      inSource.set(`${place} ${tone} ${speaker}`, {
        place,
        source: piece.source,
        start: piece.start,
        end: piece.end,
        tone,
        speaker,
      });
    }
  };
  for (const turn of view.turns.values()) {
    if (turn.role === 'arbiter') {
      for (const [tone, finding] of listArbiterEvidence(view.job, turn)) quote(finding, tone, 'Arbiter');
    } else quote(turn.evidence, findTurnTone(turn), seatOfRound(view.job, { seat: turn.seat, round: null }));
  }
  if (view.verdict)
    quote(
      view.verdict.evidence,
      view.verdict.label === 'safe' ? 'exoneration' : view.verdict.concept === 'implicit' ? 'implicit' : 'risk',
      'Verdict',
    );
  return new Map([...found].map(([source, quotations]) => [source, [...quotations.values()]]));
}

function listArbiterEvidence(job: TrialView['job'], turn: TurnView): [MarkTone, readonly Evidence[]][] {
  if (job === 'evaluation') {
    const findings = readFindings(turn, ['explicit', 'implicit']);
    return findings === null
      ? []
      : [
          [findings.explicit.holds ? 'risk' : 'exoneration', findings.explicit.evidence],
          [findings.implicit.holds ? 'implicit' : 'exoneration', findings.implicit.evidence],
        ];
  }
  const findings = readFindings(turn, ['exoneration', 'risk']);
  return findings === null
    ? []
    : [
        ['exoneration', findings.exoneration.evidence],
        ['risk', findings.risk.evidence],
      ];
}
