import type { SentEvidence } from '../api/client.ts';
import type { TextMark } from '../components/text.tsx';
import type { MarkTone } from '../components/tones.ts';
import type { TrialJob } from '../jobs/console-job.ts';
import { readRuleFindings, readStance } from '@agonhq/engine/view';
import { findSeatRole, type TrialVerdict, type TrialView, type TrialTurn } from './trial-view.ts';

/** A passage of a source that somebody quotes, and for what. */
export interface ShownQuotation {
  /** `text:12-40`, the same for everybody who quotes these words. */
  place: string;
  source: string;
  start: number;
  end: number;
  tone: MarkTone;
  speaker: string;
  /** Of a report: its number, and who quotes it first. */
  reference?: TextMark['reference'];
}

/** Where a quotation stands; null when it stands nowhere, and was struck. */
export function quoteKey(evidence: SentEvidence): string | null {
  return evidence.verified ? `${evidence.source}:${evidence.start}-${evidence.end}` : null;
}

/**
 * What a turn quotes for: a debater for its side, everybody else by what they say. Undefined for those who take no
 * side.
 */
export function findTurnTone(job: TrialJob, turn: TrialTurn): MarkTone | undefined {
  const { quotesFor } = findSeatRole(job, turn.role);
  if (quotesFor !== undefined) return quotesFor;
  if (turn.fallback !== null || turn.state !== 'said') return undefined;
  const { label, distribution } = readStance(turn);
  if (label === 'safe') return 'exoneration';
  if (label === 'unsafe') return distribution && distribution.implicit > distribution.explicit ? 'implicit' : 'risk';
  // A judge without a role says it by its score.
  return turn.role === 'judge' && turn.score !== null ? (turn.score >= 0.5 ? 'risk' : 'exoneration') : undefined;
}

function findVerdictTone({ label, concept }: TrialVerdict): MarkTone {
  if (label === 'safe') return 'exoneration';
  return concept === 'implicit' || (label !== 'unsafe' && label !== 'undecided') ? 'implicit' : 'risk';
}

/** Every quoted passage so far, by source. */
export function collectQuotations(
  view: Pick<TrialView, 'job' | 'turns' | 'verdict'>,
): ReadonlyMap<string, readonly ShownQuotation[]> {
  const found = new Map<string, Map<string, ShownQuotation>>();
  const quote = (evidence: readonly SentEvidence[], tone: MarkTone | undefined, speaker: string) => {
    if (tone === undefined) return;
    for (const piece of evidence) {
      if (!piece.verified) continue;
      const place = quoteKey(piece)!;
      const { source, start, end } = piece;
      const inSource = found.get(source) ?? new Map<string, ShownQuotation>();
      found.set(source, inSource);
      // Once for each speaker and side, however often they say it.
      inSource.set(`${place} ${tone} ${speaker}`, { place, source, start, end, tone, speaker });
    }
  };
  const { job } = view;
  for (const turn of view.turns.values()) {
    const speaker = job.terms.describeSeat({ seat: turn.seat, round: null });
    if (findSeatRole(job, turn.role).part !== 'closing') quote(turn.evidence, findTurnTone(job, turn), speaker);
    else for (const [tone, evidence] of listFindingEvidence(job, turn)) quote(evidence, tone, speaker);
  }
  if (view.verdict) quote(view.verdict.evidence, findVerdictTone(view.verdict), 'Verdict');
  return new Map([...found].map(([source, quotations]) => [source, [...quotations.values()]]));
}

function listFindingEvidence(job: TrialJob, turn: TrialTurn): [MarkTone, readonly SentEvidence[]][] {
  const findings = readRuleFindings(job.terms, turn.state === 'said' ? turn : undefined);
  return job.terms.rules.flatMap(({ finding }): [MarkTone, readonly SentEvidence[]][] => {
    const found = finding && findings?.get(finding.name);
    return found ? [[found.holds ? finding.holds : finding.fails, found.evidence]] : [];
  });
}
