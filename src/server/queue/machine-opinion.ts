import { findTurns, type Answer } from '../../debate/index.ts';
import type { Case } from '../../ledger/index.ts';

/** The two sides of a debate, the stern one first. */
const sides = ['strict-debater', 'loose-debater', 'auditor', 'detector'] as const;

/** What the machine had decided, for who has decided now. */
export function machineOpinion({ answer, label, score, probability, confidence, disagreement, categories }: Case) {
  return {
    label: label as 'safe' | 'unsafe' | 'undecided',
    score,
    probability,
    confidence,
    disagreement,
    categories: [...categories],
    rule: answer && { id: answer.verdict.rule.id, why: answer.verdict.rule.why },
    sides: answer ? sides.flatMap((role) => lastScoreOf(answer, role)) : [],
  };
}

/** Of several seats the mean. */
function lastScoreOf({ transcript }: Answer, role: (typeof sides)[number]) {
  const last = new Map(
    findTurns(transcript)
      .filter((turn) => turn.role === role && turn.score !== null)
      .map(({ seat, score }) => [seat, score!]),
  );
  return last.size === 0
    ? []
    : [{ role, score: [...last.values()].reduce((sum, score) => sum + score, 0) / last.size }];
}
