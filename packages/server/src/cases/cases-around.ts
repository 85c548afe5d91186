import type { CaseSummary, Ledger } from '@agonhq/ledger';

const mostOfAuthor = 10;
const mostOfThread = 20;

/**
 * What the same author wrote before, and the thread around a case. Cases about the same content are left out, since
 * they would say what the machine thinks of this one; of those that wait for a person themselves no verdict is told.
 */
export async function findCasesAround(
  { cases, reviews, decisions }: Pick<Ledger, 'cases' | 'reviews' | 'decisions'>,
  found: CaseSummary,
) {
  const isOther = ({ id, subject, again }: CaseSummary) =>
    id !== found.id && subject !== found.subject && again === null;
  const listNear = async (filter: Parameters<typeof cases.listCases>[0], most: number) =>
    (await cases.listCases(filter, { limit: 4 * most })).rows.filter(isOther).slice(0, most);

  async function show(near: CaseSummary) {
    const stage = await reviews.findStage(near.id);
    const isSettled = stage === null || stage === 'done';
    const last = near.decided && isSettled ? (await decisions.listDecisions(near.id)).at(-1) : undefined;
    return {
      id: near.id,
      openedAt: near.openedAt,
      excerpt: near.excerpt,
      label: isSettled ? (last?.label ?? near.label) : null,
      action: isSettled ? (last?.action ?? near.action) : null,
      decided: near.decided,
    };
  }

  const { author, thread, openedAt } = found;
  const [earlier, around] = await Promise.all([
    author === null ? [] : listNear({ author, until: openedAt }, mostOfAuthor),
    thread === null ? [] : listNear({ thread }, mostOfThread),
  ]);
  return {
    author: await Promise.all(earlier.map(show)),
    thread: await Promise.all(around.toReversed().map(show)),
  };
}
