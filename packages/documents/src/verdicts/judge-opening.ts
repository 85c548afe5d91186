import type { Turn } from '@agonhq/engine/debate';
import { adjudicateClaim } from './adjudicate-claim.ts';
import type { ClaimAnswer, ClaimLabel } from '../analysis.ts';
import { speakers, type Opening, type Synthesis } from '../answers.ts';
import { findHeardTurn } from '../grounding/list-attacks.ts';

/**
 * What the affirmative's opening would have come to alone: by the same rules, its premises taken for the support where
 * it scores the claim above one half. It speaks for the claim and can find no contradiction, and what nothing attacked
 * is not verified: supported, unsupported, or what the numbers say. Null without an opening that was heard.
 */
export function judgeOpening({
  transcript,
  subject,
  sources,
  numbers,
  verdict,
}: ClaimAnswer): { label: ClaimLabel } | null {
  const opening = findHeardTurn(transcript, speakers.opening);
  if (!opening) return null;
  // A conflict with the claim's own statement always decides, once anybody was heard: any other is beside it.
  const own = verdict.rule.id === 'number-conflict' ? numbers.length : 0;
  const alone: Turn = { ...opening, role: speakers.examiner.id, answer: toFindings(opening.answer) };
  const { label } = adjudicateClaim([alone], {
    caseFile: { claim: subject, dossier: { documents: [] }, numbers, sources },
    own,
    cover: 'none',
  });
  return { label };
}

function toFindings({ statement, premises, score }: Opening): Synthesis {
  const holds = score > 0.5;
  return {
    statement,
    support: {
      why: statement,
      evidence: premises.flatMap(({ evidence }) => evidence),
      holds,
      strength: holds ? 'full' : 'none',
    },
    contradiction: { why: '', evidence: [], holds: false },
    standing: [],
    confidence: 0,
    score,
  };
}
