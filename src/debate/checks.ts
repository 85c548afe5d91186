import { holds } from '../evidence/index.ts';
import type { Answer } from './answer.ts';
import { sealOf } from './seal.ts';
import { turnsOf } from './transcript.ts';

/** One thing that was rechecked, and how it came out. */
export interface Check {
  name: string;
  outcome: 'ok' | 'wrong' | 'not-checked';
  detail: string;
}

export function check(name: string, right: boolean, detail: string): Check {
  return { name, outcome: right ? 'ok' : 'wrong', detail };
}

/** Whether the answer is as it was given. */
export function checkSeal(answer: Answer): Check {
  const right = sealOf(answer) === answer.seal;
  return check('seal', right, right ? answer.seal : 'the answer was changed after it was given');
}

/** Whether every quotation says what its source says, and what was struck is really nowhere. */
export function checkQuotes(answer: Answer): Check {
  const evidence = [...turnsOf(answer.transcript).flatMap((turn) => turn.evidence), ...answer.verdict.evidence];
  const wrong = evidence.filter((piece) => !holds(piece, answer.sources));
  const struck = evidence.filter((piece) => !piece.verified).length;
  const detail =
    wrong.length > 0
      ? `${wrong.length} of ${evidence.length} quotations are not what their source says: ${JSON.stringify(wrong[0]!.quote.slice(0, 80))}`
      : `${evidence.length - struck} quotations stand in their sources${struck > 0 ? `, ${struck} were rightly struck` : ''}`;
  return check('quotations', wrong.length === 0, detail);
}
