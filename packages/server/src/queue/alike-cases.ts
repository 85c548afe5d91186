import type { Case, Ledger, WaitingCase } from '@agonhq/ledger';
import type { Embed } from '@agonhq/models/precedents';
import { splitPlainWords } from '@agonhq/engine/text';
import { findSamePictures, rankByEmbedding, rankBySharedWords } from '../cases/similar-cases.ts';

/** So many cases of the queue are held against one. */
const mostCompared = 5_000;
const pageSize = 500;
/** So many of those that share the most words are read by the model. */
const mostLikely = 40;
/** Below this, two texts are about different things. */
const leastSimilar = 0.7;

export type AlikeCase = WaitingCase & { similarity: number };

/**
 * Cases of the same queue and job that nobody has decided, and that are alike: by a copy of a picture, or by words.
 * What is assigned to others is left to them.
 */
export async function findAlikeCases(
  ledger: Pick<Ledger, 'cases' | 'pictures' | 'reviews'>,
  found: Case,
  { queue, reviewer, embed }: { queue: string; reviewer: string; embed: Embed | null },
): Promise<{ rows: AlikeCase[]; compared: number }> {
  const waiting = new Map<string, WaitingCase>();
  for (let after: string | null = null, more = true; more; more = after !== null && waiting.size < mostCompared) {
    const filter = { queue, job: found.job, stage: 'first' as const };
    const page: Awaited<ReturnType<Ledger['reviews']['listWaiting']>> = await ledger.reviews.listWaiting(filter, {
      limit: pageSize,
      after,
    });
    for (const row of page.rows)
      if (row.id !== found.id && (row.assigned === null || row.assigned === reviewer)) waiting.set(row.id, row);
    after = page.next;
  }
  const copies = (await findSamePictures(ledger, found)).flatMap(({ id, similarity }) => {
    const row = waiting.get(id);
    return row ? [{ ...row, similarity }] : [];
  });
  const copied = new Set(copies.map(({ id }) => id));
  const texts = [...waiting.values()]
    .filter(({ id, excerpt }) => excerpt && !copied.has(id))
    .map((row) => ({ id: row, words: new Set(splitPlainWords(row.excerpt!)) }));
  const likely = await rankBySharedWords(new Set(splitPlainWords(found.excerpt ?? '')), texts, mostLikely);
  const alike = await rankByEmbedding(
    found.excerpt ?? '',
    likely.map(({ id: summary, share }) => ({ summary, share })),
    embed,
  );
  return {
    rows: [...copies, ...alike.filter(({ similarity }) => similarity >= leastSimilar)],
    compared: waiting.size,
  };
}
