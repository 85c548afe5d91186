import type { ClaimAnswer } from '../analysis.ts';
import type { Cover } from '../numbers/index.ts';
import { earlierRulebook } from '../verdicts/rulebook.ts';
import type { Edition } from './edition.ts';
import { presentEdition } from './present-edition.ts';
import { checkRecordedNumbers, findRecordedNumbers } from './recorded-numbers.ts';

/**
 * Answers of the second edition, before a conflict needed the same scope and basis, and of the third, before a claim
 * that is not shown was told what it lacks: decided as today, on what those readers found.
 */
export const secondEdition: Edition = {
  ...presentEdition,
  rulebook: earlierRulebook,
  checkNumbers: checkRecordedNumbers,
  findNumbers: (claim, analysis) => ({ ...findRecordedNumbers(claim, analysis), cover: readCover(claim) }),
};

/**
 * How much of a claim was shown is not on record but in the rule that rests on it; only what holds, and has no conflict
 * beside it, shows anything.
 */
function readCover({ verdict, numbers }: ClaimAnswer): Cover {
  if (!numbers.some(({ outcome }) => outcome === 'holds')) return 'none';
  if (verdict.rule.id === 'shown-in-part') return 'part';
  return verdict.rule.id === 'shown' || verdict.rule.id === 'withstood' ? 'whole' : 'none';
}
