import { isEvidenceFaithful } from '../evidence/index.ts';
import type { Answer } from './answer.ts';
import { hashAnswer } from './answer.ts';
import { findTurns } from './transcript.ts';

/** One thing that was rechecked, and how it came out. */
export interface Check {
  name: string;
  outcome: 'ok' | 'wrong' | 'not-checked';
  detail: string;
}

export function checkThat(name: string, right: boolean, detail: string): Check {
  return { name, outcome: right ? 'ok' : 'wrong', detail };
}

/** Whether the answer is as it was given. */
export function checkSeal(answer: Answer): Check {
  const right = hashAnswer(answer) === answer.seal;
  return checkThat('seal', right, right ? answer.seal : 'the answer was changed after it was given');
}

/** Whether every quotation says what its source says, and what was struck is really nowhere. */
export function checkQuotes(answer: Answer): Check {
  const evidence = [...findTurns(answer.transcript).flatMap((turn) => turn.evidence), ...answer.verdict.evidence];
  const wrong = evidence.filter((piece) => !isEvidenceFaithful(piece, answer.sources));
  const struck = evidence.filter((piece) => !piece.verified).length;
  const detail =
    wrong.length > 0
      ? `${wrong.length} of ${evidence.length} quotations are not what their source says: ${JSON.stringify(wrong[0]!.quote.slice(0, 80))}`
      : `${evidence.length - struck} quotations stand in their sources${struck > 0 ? `, ${struck} were rightly struck` : ''}`;
  return checkThat('quotations', wrong.length === 0, detail);
}
