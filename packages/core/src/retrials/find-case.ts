import { AgonError } from '@agonhq/engine/agon-error';
import type { Case, CaseSummary, Ledger } from '@agonhq/ledger';

/** A case whose trial has ended and whose content is still there. */
export type JudgedCase = Case & { answer: NonNullable<Case['answer']> };

/** From so many letters on, the beginning of an id may stand for it. */
const shortestPrefix = 6;

/** The case with this id, or the only one whose id begins so. */
export async function findRetriedCase(ledger: Ledger, id: string): Promise<Case | undefined> {
  return (await ledger.cases.findCase(id)) ?? (await caseBeginning(ledger, id));
}

/** The same; or says where there is none. */
export async function requireCase(ledger: Ledger, id: string): Promise<Case> {
  const found = await findRetriedCase(ledger, id);
  if (found) return found;
  throw unknownCase(ledger, id);
}

export function unknownCase({ place }: Pick<Ledger, 'place'>, id: string): AgonError {
  return new AgonError('unknown-case', `There is no case ${id} in ${place}.`, {
    library: 'Check the id, and which ledger is open.',
    cli: 'The id is at the end of every verdict, and `agon cases` lists them; --ledger FILE names another ledger.',
    api: 'GET /api/cases lists them.',
  });
}

async function caseBeginning(ledger: Ledger, prefix: string): Promise<Case | undefined> {
  if (prefix.length < shortestPrefix) return undefined;
  const { rows, next } = await ledger.cases.listCases({ id: prefix }, { limit: 20 });
  const meant = rows.length === 1 ? rows[0] : trialOfAll(rows);
  if (meant) return ledger.cases.findCase(meant.id);
  if (rows.length === 0) return undefined;
  const named = rows
    .slice(0, 3)
    .map((row) => row.id)
    .join(', ');
  throw new AgonError(
    'ambiguous-case',
    `${next === null ? rows.length : `More than ${rows.length}`} cases begin with ${prefix}: ` +
      `${named}${rows.length > 3 ? ', …' : ''}.`,
    'Give more of the id.',
  );
}

/** Retrials are named after their case: together with it they stand for it. */
function trialOfAll(rows: readonly CaseSummary[]): CaseSummary | undefined {
  return rows.find(({ id }) => rows.every((row) => row.id === id || row.id.startsWith(`${id}~`)));
}

/** The same for a case that is to be held again. */
export async function requireJudgedCase(ledger: Ledger, id: string): Promise<JudgedCase> {
  return assertJudged(await requireCase(ledger, id));
}

/** A case with its answer, or why there is none. */
export function assertJudged(found: Case): JudgedCase {
  if (found.forgottenAt !== null)
    throw new AgonError(
      'forgotten-case',
      `What case ${found.id} judged was forgotten on ${found.forgottenAt.toISOString().slice(0, 10)}.`,
      'Only its verdict and seal are left. Judge the same content again.',
    );
  if (found.answer === null)
    throw new AgonError(
      'unfinished-case',
      `Case ${found.id} has no verdict yet.`,
      'Judge the same content again: the trial goes on where it stopped.',
    );
  return found as JudgedCase;
}
