import type { Check, Degradation, Transcript } from '../../../debate/index.ts';
import type { Analysis, ClaimAnswer, Outlook, Selection } from '../analysis.ts';
import type { ClaimNumbers } from '../claims/find-claim-numbers.ts';
import type { NumberFinding } from '../numbers/finding.ts';
import type { Rulebook } from '../verdicts/rulebook.ts';

/** What the answers of an edition are held against. */
export interface Edition {
  rulebook: Rulebook;
  /** Whether the number findings of an analysis, and those of its claims, are right. */
  checkNumbers(analysis: Analysis): Check;
  /** The number findings that touch a claim. */
  findNumbers(claim: ClaimAnswer, analysis: Analysis): ClaimNumbers;
  /** The claims that follow from what the factor agent said; `isCut`: there were more than asked for. */
  selectClaims(turns: Transcript, analysis: Analysis, isCut: boolean): Selection;
  decideOutlook(claims: readonly ClaimAnswer[], numbers: readonly NumberFinding[]): Pick<Outlook, 'label' | 'rule'>;
  /** What stands in the brief when nobody wrote one. */
  writeBrief(
    claims: readonly ClaimAnswer[],
    numbers: readonly NumberFinding[],
    degraded: readonly Degradation[],
  ): string;
}
