import { wordsOf } from '../../../../src/view/words.ts';
import { formatScore } from '../../components/score.tsx';
import type { TrialView } from '../../trial/trial-view.ts';
import { ruleTitle, seatOfRound } from '../../trial/trial-words.ts';

/** Tells those who listen what has just happened: a turn that ended, the verdict. */
export function Announcer({ view }: { view: TrialView }) {
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {describeLatest(view)}
    </p>
  );
}

function describeLatest({ job, state, turns, verdict, claims }: TrialView): string {
  if (state === 'stopped') return 'The trial was stopped.';
  if (state === 'failed') return 'The trial failed.';
  if (verdict !== null)
    return `Verdict: ${wordsOf(verdict.label).title}. Decided by ${ruleTitle(job, verdict.rule.id)}.`;
  if (job === 'documents') {
    const judged = [...claims.values()].filter((claim) => claim.state === 'judged').length;
    return claims.size === 0 ? '' : `${judged} of ${claims.size} claims judged.`;
  }
  const last = [...turns.values()].findLast((turn) => turn.state === 'said');
  if (last === undefined) return 'The trial has begun.';
  return `${seatOfRound(job, last)} has spoken${last.score === null ? '' : `: score ${formatScore(last.score)}`}.`;
}
