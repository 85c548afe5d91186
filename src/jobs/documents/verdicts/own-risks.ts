import type { Analysis } from '../analysis.ts';

/** The risks that say more than a number conflict, which is shown with its arithmetic beside them. */
export function listOwnRisks({ outlook, numbers }: Analysis): string[] {
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict').map(({ statement }) => statement);
  return outlook.risks.filter((risk) => !conflicts.some((statement) => risk.includes(statement)));
}
