import { checkThat, type Check } from '@agonhq/engine/debate';
import { isSameJson } from '@agonhq/engine/hash';
import type { Analysis, ClaimAnswer } from './analysis.ts';
import { findClaimNumbers, type ClaimNumbers } from './claims/find-claim-numbers.ts';
import { checkNumbers } from './numbers/index.ts';

/** Whether the number findings of an analysis, and those of its claims, are what the documents say, read again. */
export function verifyNumbers(analysis: Analysis): Check {
  const again = readNumbersOnce(analysis);
  if (!isSameJson(again, analysis.numbers))
    return checkThat('numbers', false, 'the number findings are not those of the documents');
  const wrong = analysis.claims.find((claim) => !isSameJson(readClaimNumbers(claim, analysis).findings, claim.numbers));
  return checkThat(
    'numbers',
    !wrong,
    wrong
      ? `the number findings of ${wrong.subject.id} are not those of the documents`
      : `${again.length} number finding(s) were computed again`,
  );
}

/** The number findings that touch a claim, read again. */
export function readClaimNumbers({ subject }: ClaimAnswer, analysis: Analysis): ClaimNumbers {
  return findClaimNumbers(subject, analysis, readNumbersOnce(analysis));
}

const checked = new WeakMap<Analysis, ReturnType<typeof checkNumbers>>();

function readNumbersOnce(analysis: Analysis): ReturnType<typeof checkNumbers> {
  let findings = checked.get(analysis);
  if (!findings) checked.set(analysis, (findings = checkNumbers(analysis)));
  return findings;
}
