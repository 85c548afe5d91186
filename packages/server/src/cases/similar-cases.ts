import type { Case, CaseSummary, Ledger } from '@agonhq/ledger';
import type { PictureMatch } from '@agonhq/engine/fingerprint';
import { indexPictures, type Embed } from '@agonhq/models/precedents';
import { similarityTo } from '@agonhq/engine/text/similarity';
import { splitPlainWords } from '@agonhq/engine/text';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A text by what it is held against others by: its words, each once. */
interface TextWords<Id> {
  id: Id;
  words: ReadonlySet<string>;
}

/** So many texts are taken apart or weighed at a stretch. */
const atOnce = 1_000;

/**
 * How much of their words each of some texts shares with one, 0 to 1: words that few of them have weigh more (their
 * inverse frequency), and what only one of the two has counts against it. Only those that share something, the most
 * alike first.
 */
export async function rankBySharedWords<Id>(
  wanted: ReadonlySet<string>,
  texts: readonly TextWords<Id>[],
  most: number,
): Promise<{ id: Id; share: number }[]> {
  const frequency = new Map<string, number>();
  await forEachInBatches(texts, ({ words }) => {
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  });
  const weightOf = (word: string) => Math.log((texts.length + 1) / ((frequency.get(word) ?? 0) + 0.5));
  const weights = new Map([...frequency.keys(), ...wanted].map((word) => [word, Math.max(0.01, weightOf(word))]));
  const wantedWeight = [...wanted].reduce((sum, word) => sum + weights.get(word)!, 0);
  const alike: { id: Id; share: number }[] = [];
  await forEachInBatches(texts, ({ id, words }) => {
    let [both, own] = [0, 0];
    for (const word of words) {
      const weight = weights.get(word)!;
      own += weight;
      if (wanted.has(word)) both += weight;
    }
    if (both > 0) alike.push({ id, share: both / (wantedWeight + own - both) });
  });
  return alike.toSorted((one, other) => other.share - one.share).slice(0, most);
}

async function forEachInBatches<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) {
    for (const item of items.slice(at, at + atOnce)) work(item);
    await nextTurn();
  }
}

export interface SimilarCase extends CaseSummary {
  similarity: number;
  /** How its picture is that of the case, where it has a copy of it. */
  picture?: PictureMatch;
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
export async function findSimilarCases(
  ledger: Pick<Ledger, 'cases' | 'pictures'>,
  found: Case,
  { limit, embed }: { limit: number; embed: Embed | null },
): Promise<{ rows: SimilarCase[]; compared: number }> {
  const texts: TextWords<string>[] = [];
  for await (const some of ledger.cases.readNewestTexts(found.job, mostCompared))
    texts.push(
      ...some
        .filter(({ id }) => id !== found.id)
        .map(({ id, words }) => ({ id, words: new Set(splitPlainWords(words)) })),
    );
  const [shortlist, same] = await Promise.all([
    rankBySharedWords(new Set(splitPlainWords(found.excerpt ?? '')), texts, mostLikely),
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
  const copies = await findSamePictures(ledger, found);
  for (const { id, subject } of copies) {
    likely.delete(subject);
    const known = others.findIndex((other) => other.id === id);
    if (known >= 0) others.splice(known, 1);
  }
  const alike = await rankByEmbedding(found.excerpt ?? '', [...likely.values()].slice(0, limit + readBeside), embed);
  return { rows: [...others, ...copies, ...alike].slice(0, limit), compared: texts.length };
}

/** Cases with a copy of a picture of this one, the nearest first. */
export async function findSamePictures(
  { cases, pictures }: Pick<Ledger, 'cases' | 'pictures'>,
  found: Case,
): Promise<SimilarCase[]> {
  const own = await pictures.findPictures(found.id);
  const matches = new Map<string, PictureMatch>();
  if (own.length > 0)
    for await (const some of pictures.listPictures()) {
      const others = some.filter((other) => other.case !== found.id);
      const copies = indexPictures(others.map((other) => ({ id: other.case, pictures: [other] })))(own);
      for (const [id, match] of copies)
        if (match.distance < (matches.get(id)?.distance ?? Infinity)) matches.set(id, match);
      await nextTurn();
    }
  const summaries = await cases.findSummaries([...matches.keys()].slice(0, mostLikely));
  return [...summaries.values()]
    .filter(({ again, forgottenAt, subject }) => again === null && forgottenAt === null && subject !== found.subject)
    .map((summary) => {
      const picture = matches.get(summary.id)!;
      return { ...summary, similarity: roundSimilarity(1 - picture.distance / picture.of), picture };
    })
    .toSorted((one, other) => one.picture.distance - other.picture.distance);
}

/** By vectors of the embedded model; where it cannot be had, by the words that they share. */
export async function rankByEmbedding<Summary extends { excerpt: string | null }>(
  excerpt: string,
  likely: readonly { summary: Summary; share: number }[],
  embed: Embed | null,
): Promise<(Summary & { similarity: number })[]> {
  const vectors =
    embed && likely.length > 0
      ? await Promise.all(
          [excerpt, ...likely.map(({ summary }) => summary.excerpt ?? '')].map((text) => embed(text)),
        ).catch(() => null)
      : null;
  const similarities = vectors && similarityTo(vectors.slice(1))(vectors[0]!);
  return likely
    .map(({ summary, share }, place) => ({
      ...summary,
      similarity: roundSimilarity(similarities ? similarities[place]! : share),
    }))
    .toSorted((one, other) => other.similarity - one.similarity);
}

function roundSimilarity(similarity: number): number {
  return Math.round(Math.max(0, Math.min(1, similarity)) * 1_000) / 1_000;
}
