import { checkThat, findTurns, type Check } from '../../../debate/index.ts';
import { canonicalJson } from '../../../hash.ts';
import type { Analysis } from '../analysis.ts';
import { findClaimNumbers } from '../claims/find-claim-numbers.ts';
import { selectClaims } from '../claims/select-claims.ts';
import { checkNumbers } from '../numbers/index.ts';
import { decideOutlook } from '../verdicts/decide-outlook.ts';
import { rulebook } from '../verdicts/rulebook.ts';
import { writePlainBrief } from '../verdicts/write-brief.ts';
import type { Edition } from './edition.ts';

/** Answers of today's reader: it reads the documents again, and must find the same. */
export const presentEdition: Edition = {
  rulebook,
  checkNumbers: checkNumbersAgain,
  findNumbers: ({ subject }, analysis) => findClaimNumbers(subject, analysis, readNumbersOnce(analysis)),
  selectClaims(turns, analysis, isCut) {
    const isZeroShot = analysis.provenance.plan.method === 'zero-shot';
    const argued = analysis.claims.filter(({ transcript }) => findTurns(transcript).length > 0).length;
    const most = isZeroShot ? analysis.claims.length : argued;
    return selectClaims(turns, analysis, isCut ? most : Number.POSITIVE_INFINITY, isZeroShot);
  },
  decideOutlook,
  writeBrief: writePlainBrief,
};

function checkNumbersAgain(analysis: Analysis): Check {
  const again = readNumbersOnce(analysis);
  if (!isSameJson(again, analysis.numbers))
    return checkThat('numbers', false, 'the number findings are not those of the documents');
  const wrong = analysis.claims.find(
    (claim) => !isSameJson(findClaimNumbers(claim.subject, analysis, again).findings, claim.numbers),
  );
  return checkThat(
    'numbers',
    !wrong,
    wrong
      ? `the number findings of ${wrong.subject.id} are not those of the documents`
      : `${again.length} number finding(s) were computed again`,
  );
}

const checked = new WeakMap<Analysis, ReturnType<typeof checkNumbers>>();

function readNumbersOnce(analysis: Analysis): ReturnType<typeof checkNumbers> {
  let findings = checked.get(analysis);
  if (!findings) checked.set(analysis, (findings = checkNumbers(analysis)));
  return findings;
}

function isSameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
