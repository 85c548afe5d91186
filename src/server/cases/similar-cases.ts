import type { Case, CaseSummary, Ledger } from '../../ledger/index.ts';
import type { Embed } from '../../precedents/index.ts';
import { similarityTo } from '../../similarity.ts';
import { sharedWords, type Worded } from './shared-words.ts';
import { splitPlainWords } from '../../text/index.ts';

export interface SimilarCase extends CaseSummary {
  similarity: number;
}

/** Of the newest finished cases of the same job, so many are held against it. */
const mostCompared = 5_000;
/** So many of those that share the most words are looked at. */
const mostLikely = 40;
/** So many more than are asked for are read by the model, which takes some milliseconds for each. */
const readBeside = 6;

/**
 * Cases about alike content. Words say which may be alike, the vectors of the embedded model which are; without it, the
 * words alone. What judges the same content otherwise has similarity 1; trials that were held again are left out, and
 * of several cases about one content all but the newest.
 */
export async function similarCases(
  ledger: Pick<Ledger, 'cases'>,
  found: Case,
  { limit, embed }: { limit: number; embed: Embed | null },
): Promise<{ rows: SimilarCase[]; compared: number }> {
  const texts: Worded<string>[] = [];
  for await (const some of ledger.cases.readNewestTexts(found.job, mostCompared))
    texts.push(
      ...some
        .filter(({ id }) => id !== found.id)
        .map(({ id, words }) => ({ id, words: new Set(splitPlainWords(words)) })),
    );
  const [shortlist, same] = await Promise.all([
    sharedWords(new Set(splitPlainWords(found.excerpt ?? '')), texts, mostLikely),
    ledger.cases.listCases({ subject: found.subject, finished: true }, { limit: mostLikely }),
  ]);
  const summaries = await ledger.cases.findSummaries(shortlist.map(({ id }) => id));
  const likely = new Map<string, { summary: CaseSummary; share: number }>();
  for (const { id, share } of shortlist) {
    const summary = summaries.get(id);
    if (!summary || summary.again !== null || summary.excerpt === null || summary.subject === found.subject) continue;
    const known = likely.get(summary.subject);
    if (!known || known.summary.openedAt < summary.openedAt) likely.set(summary.subject, { summary, share });
  }
  const others = same.rows
    .filter(({ id, again, excerpt }) => id !== found.id && again === null && excerpt !== null)
    .map((summary) => ({ ...summary, similarity: 1 }));
  const alike = await ranked(found.excerpt ?? '', [...likely.values()].slice(0, limit + readBeside), embed);
  return { rows: [...others, ...alike].slice(0, limit), compared: texts.length };
}

async function ranked(
  excerpt: string,
  likely: readonly { summary: CaseSummary; share: number }[],
  embed: Embed | null,
): Promise<SimilarCase[]> {
  const vectors =
    embed && likely.length > 0
      ? await Promise.all([excerpt, ...likely.map(({ summary }) => summary.excerpt!)].map((text) => embed(text))).catch(
          () => null,
        )
      : null;
  const similarities = vectors && similarityTo(vectors.slice(1))(vectors[0]!);
  return likely
    .map(({ summary, share }, place) => ({
      ...summary,
      similarity: rounded(similarities ? similarities[place]! : share),
    }))
    .toSorted((one, other) => other.similarity - one.similarity);
}

function rounded(similarity: number): number {
  return Math.round(Math.max(0, Math.min(1, similarity)) * 1_000) / 1_000;
}
