import { closeVerdict, findTurns, keepUnique, type Transcript } from '@agonhq/engine/debate';
import { adjudicateClaim, contradictsLabel, type AdjudicatedMatter } from './adjudicate-claim.ts';
import type { ClaimVerdict } from '../analysis.ts';

/**
 * Each vote is decided by the rules as if it were alone; the label that most of them have decides, and between as
 * many of two nothing does. Who fell back has no vote.
 */
export function adjudicateVotes(transcript: Transcript, matter: AdjudicatedMatter): ClaimVerdict {
  const votes = findTurns(transcript)
    .filter(({ fallback }) => !fallback)
    .map((turn) => adjudicateClaim([turn], matter));
  const [first] = votes;
  if (!first) return adjudicateClaim(transcript, matter);
  const score = findMean(votes.flatMap((vote) => vote.score ?? []));
  const ruling = applyMajority(votes, first);
  const verdict = closeVerdict(
    { ...ruling, score },
    { transcript, at: 'adjudication', isContradicted: contradictsLabel(ruling.label, score) },
  );
  return { ...verdict, score, confidence: null };
}

function applyMajority(
  votes: readonly ClaimVerdict[],
  first: ClaimVerdict,
): Pick<ClaimVerdict, 'label' | 'rule' | 'evidence'> {
  // The numbers decide before anybody is heard, and so for every vote alike.
  if (first.rule.id === 'number-conflict') return { label: first.label, rule: first.rule, evidence: first.evidence };
  const tally = [...Map.groupBy(votes, ({ label }) => label)]
    .map(([label, own]) => ({ label, own }))
    .toSorted((a, b) => b.own.length - a.own.length);
  const counted = tally.map(({ label, own }) => `${label} ${own.length}`).join(', ');
  const [most, next] = tally;
  if (!most || most.own.length === next?.own.length)
    return { label: 'undecided', rule: { id: 'tie', why: `The votes were split (${counted}).` }, evidence: [] };
  return {
    label: most.label,
    rule: { id: 'majority', why: `Of ${votes.length} vote(s), most say so (${counted}). ${most.own[0]!.rule.why}` },
    evidence: keepUnique(most.own.flatMap(({ evidence }) => evidence)),
  };
}

/** Of equal scores that very score, whatever a sum would round it to. */
function findMean(scores: readonly number[]): number | null {
  if (scores.length === 0) return null;
  return scores.every((score) => score === scores[0])
    ? scores[0]!
    : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
