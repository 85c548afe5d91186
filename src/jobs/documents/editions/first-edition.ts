import type { Degradation } from '../../../debate/index.ts';
import type { ClaimAnswer } from '../analysis.ts';
import { selectClaims } from '../claims/select-claims.ts';
import type { NumberFinding } from '../numbers/finding.ts';
import { decideOutlook } from '../verdicts/decide-outlook.ts';
import { firstRulebook } from '../verdicts/rulebook.ts';
import type { Edition } from './edition.ts';
import { checkRecordedNumbers, findRecordedNumbers } from './recorded-numbers.ts';

/** Answers from before statements were read as programs: every claim was debated, and numbers decided without cover. */
export const firstEdition: Edition = {
  rulebook: firstRulebook,
  checkNumbers: checkRecordedNumbers,
  findNumbers: findRecordedNumbers,
  selectClaims: (turns, analysis, isCut) =>
    selectClaims(turns, analysis, isCut ? analysis.claims.length : Number.POSITIVE_INFINITY, true),
  decideOutlook: (claims, numbers) => decideOutlook(claims, numbers, ({ id }) => ` (${id}).`),
  writeBrief,
};

function writeBrief(
  claims: readonly ClaimAnswer[],
  numbers: readonly NumberFinding[],
  degraded: readonly Degradation[],
): string {
  const counts = [...Map.groupBy(claims, ({ verdict }) => verdict.label)].map(
    ([label, { length }]) => `${length} ${label}`,
  );
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict').length;
  const reasons = [...new Set(degraded.filter(({ kind }) => kind === 'fallback').map(({ detail }) => detail))];
  return [
    `${claims.length} ${claims.length === 1 ? 'claim was' : 'claims were'} judged`,
    counts.length > 0 ? `: ${counts.join(', ')}` : '',
    `. ${conflicts} ${conflicts === 1 ? 'number finding conflicts' : 'number findings conflict'}.`,
    reasons.length > 0
      ? ` The factor agent did not read all of it (${reasons.join('; ')}): claims may be missing.`
      : '',
  ].join('');
}
