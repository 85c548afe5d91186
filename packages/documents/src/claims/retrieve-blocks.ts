import { similarityTo } from '@agonhq/engine/text/similarity';
import type { Claim } from '../analysis.ts';
import { type Dossier, listBlocks, readBlockText, type DossierBlock } from '../document.ts';
import type { EmbedPassages } from '../setup.ts';
import { isContentWord, listContentStems, splitWords } from '@agonhq/engine/text';

interface LexicalIndex {
  blocks: readonly DossierBlock[];
  /** By stem: in which blocks, how often. */
  postings: ReadonlyMap<string, readonly { block: number; count: number }[]>;
  lengths: readonly number[];
  meanLength: number;
}

const indexes = new WeakMap<Dossier, LexicalIndex>();
const embeddings = new WeakMap<DossierBlock, Promise<Float32Array>>();

// BM25's usual parameters.
const saturation = 1.2;
const lengthWeight = 0.75;
/** Of reciprocal rank fusion. */
const fusion = 60;
/** Embedding takes nearly all of the time: the lexical search picks half as many again as a case shows. */
const candidatesEmbedded = 24;
/** A block's heading and beginning stand for it. */
const embeddedCharacters = 400;

/** Every block that is not only a heading, the nearest to the claim first: by words, and with `embed` by meaning. */
export async function retrieveBlocks(
  claim: Pick<Claim, 'text'>,
  dossier: Dossier,
  { embed = null, signal }: { embed?: EmbedPassages | null; signal?: AbortSignal } = {},
): Promise<DossierBlock[]> {
  const { ranking: byWords, matching } = rankByWords(claim.text, dossier);
  if (!embed) return byWords;
  const options = { signal: signal ?? new AbortController().signal };
  const candidates = byWords.slice(0, candidatesEmbedded);
  const vectors = await Promise.all(candidates.map((standing) => embedBlock(standing, embed, options)));
  const similarities = similarityTo(vectors)(await embed(claim.text, options));
  const byMeaning = candidates.map((_, index) => index).toSorted((a, b) => similarities[b]! - similarities[a]!);
  const ranks = new Map(byMeaning.map((candidate, rank) => [candidate, rank]));
  // A block that shares no word with the claim has no place in the ranking by words.
  const score = (index: number) => (index < matching ? 1 / (fusion + index) : 0) + 1 / (fusion + ranks.get(index)!);
  const fused = candidates.map((_, index) => index).toSorted((a, b) => score(b) - score(a) || a - b);
  return [...fused.map((index) => candidates[index]!), ...byWords.slice(candidates.length)];
}

function embedBlock(
  standing: DossierBlock,
  embed: EmbedPassages,
  options: { signal: AbortSignal },
): Promise<Float32Array> {
  let known = embeddings.get(standing);
  if (!known) {
    known = embed(
      [...standing.block.section.slice(-1), readBlockText(standing)].join('\n').slice(0, embeddedCharacters),
      options,
    );
    known.catch(() => embeddings.delete(standing));
    embeddings.set(standing, known);
  }
  return known;
}

function rankByWords(query: string, dossier: Dossier): { ranking: DossierBlock[]; matching: number } {
  const { blocks, postings, lengths, meanLength } = indexBlocks(dossier);
  const scores = new Float64Array(blocks.length);
  for (const stem of listContentStems(query)) {
    const found = postings.get(stem) ?? [];
    const rarity = Math.log(1 + (blocks.length - found.length + 0.5) / (found.length + 0.5));
    for (const { block, count } of found) {
      const length = 1 - lengthWeight + (lengthWeight * lengths[block]!) / meanLength;
      scores[block]! += (rarity * count * (saturation + 1)) / (count + saturation * length);
    }
  }
  const ranking = blocks
    .map((_, index) => index)
    .toSorted((a, b) => scores[b]! - scores[a]! || a - b)
    .map((index) => blocks[index]!);
  return { ranking, matching: scores.filter((score) => score > 0).length };
}

function indexBlocks(dossier: Dossier): LexicalIndex {
  const known = indexes.get(dossier);
  if (known) return known;
  const blocks = [...listBlocks(dossier).values()].filter(({ block }) => block.kind !== 'heading');
  const postings = new Map<string, { block: number; count: number }[]>();
  const lengths = blocks.map((standing, block) => {
    // A block is also about what its headings say.
    const words = splitWords([...standing.block.section, readBlockText(standing)].join('\n')).filter(isContentWord);
    for (const [stem, { length: count }] of Map.groupBy(words, ({ stem }) => stem)) {
      const posting = postings.get(stem);
      if (posting) posting.push({ block, count });
      else postings.set(stem, [{ block, count }]);
    }
    return words.length;
  });
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  const index = { blocks, postings, lengths, meanLength };
  indexes.set(dossier, index);
  return index;
}
