import type { Decision, Ledger } from '@agonhq/ledger';

/** What people decided on a case, where nobody has to confirm it any more. Labelled data is no person. */
export async function findStandingDecision(
  { decisions, reviews }: Pick<Ledger, 'decisions' | 'reviews'>,
  caseId: string,
): Promise<Decision | undefined> {
  const stage = await reviews.findStage(caseId);
  if (stage !== null && stage !== 'done') return undefined;
  return (await decisions.listDecisions(caseId)).findLast(({ by }) => !by.startsWith('dataset:'));
}
