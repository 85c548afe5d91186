import type { Transcript } from '../../debate/index.ts';
import type { Evidence, Source } from '../../evidence/index.ts';
import { heardOf, judgesIn, labelOf, lastOfEach, majorityOf, meanOf, opinionOf } from './opinions.ts';
import { incriminating, nobodyHeard, verified, type Ruling } from './ruling.ts';

/**
 * The heard judges decide, one alone or by their majority; a tie decides nothing, and neither does a risk that nobody
 * could quote.
 */
export function byMajority(
  transcript: Transcript,
  sources: readonly Source[],
  method: 'judge' | 'vote' | 'role-free' | 'control',
): Ruling {
  const heard = heardOf(judgesIn(transcript));
  // The control's one seat votes once a round, and every vote counts.
  const votes = method === 'control' ? heard : heardOf(lastOfEach(heard));
  if (votes.length === 0) return nobodyHeard(transcript, 'No judge gave an answer that could be used.');
  const score = meanOf(votes.map((turn) => turn.score));
  const label = majorityOf(votes.map((turn) => turn.score));
  const tally = votes.map((turn) => `${turn.round === null ? turn.seat : turn.key} ${labelOf(turn.score)}`).join(', ');
  if (label === 'undecided') return { label, score, rule: { id: 'tie', why: `The votes were split (${tally}).` } };

  const rule =
    method === 'judge'
      ? { id: 'judge', why: votes[0]!.statement }
      : { id: 'majority', why: `The heard votes decided (${tally}).` };
  if (label === 'safe') return { label, score, rule };
  const against = votes.filter((turn) => labelOf(turn.score) === 'unsafe').map(opinionOf);
  const evidence = against.flatMap((opinion) => verified(opinion.evidence, incriminating(sources)));
  if (evidence.length === 0) {
    return {
      label: 'undecided',
      score,
      rule: {
        id: 'evidence-struck',
        why: `The votes say unsafe (${tally}), but none of the evidence is in the content.`,
      },
    };
  }
  return { label, score, rule, evidence: unique(evidence), clauses: against.flatMap(({ clauses }) => clauses) };
}

/** Several seats often quote the same words. */
function unique(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((piece) => [JSON.stringify(piece), piece])).values()];
}

/** Who was never heard might have seen the risk: filters fall silent on the very content that matters. */
export function someJudgeUnheard(transcript: Transcript): boolean {
  return [...Map.groupBy(judgesIn(transcript), ({ seat }) => seat).values()].some((own) =>
    own.every(({ fallback }) => fallback),
  );
}
