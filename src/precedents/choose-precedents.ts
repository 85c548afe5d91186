import type { Exclusion, ExclusionReason, PrecedentQuery } from '../debate/index.ts';
import type { KeptPrecedent } from './kept-precedent.ts';
import { overlap, sameWords, wordingOf, type Wording } from './likeness.ts';

/** A precedent that may be shown, with its similarity to the case. */
export interface Candidate {
  kept: KeptPrecedent;
  similarity: number;
}

export interface Choice {
  chosen: Candidate[];
  excluded: Exclusion[];
  /** Further candidates could still change it: there is room, or one label is missing. */
  open: boolean;
}

type Wanted = Omit<PrecedentQuery, 'signal'>;

/** Two texts that share so many of their neighbouring words say the same in the same words. */
const copyOverlap = 0.75;

/**
 * Which of the candidates, the most alike first, are shown to the debate: never the item itself, a copy of it or what
 * must not be seen; of copies of each other the best; and both labels, when both are among the candidates.
 * `copySimilarity`: below it, two texts of many common words still differ in what they are about.
 */
export function choosePrecedents(candidates: readonly Candidate[], wanted: Wanted, copySimilarity: number): Choice {
  const item = wordingOf(wanted.text);
  const excluded: Exclusion[] = [];
  const fit: (Candidate & { wording: Wording })[] = [];
  for (const { kept, similarity } of candidates) {
    if (isComplete(fit, wanted.limit)) break;
    const wording = wordingOf(kept.text);
    const reason = reasonAgainst(kept, wording, similarity) ?? (fit.some((better) => saysTheSame(better, kept.label, wording)) ? 'collapsed' : undefined);
    if (reason) excluded.push({ id: kept.id, reason, similarity: rounded(similarity) });
    else if (fit.length < wanted.limit || kept.label !== fit[0]!.kept.label) fit.push({ kept, similarity, wording });
  }
  return { chosen: balanced(fit, wanted.limit), excluded, open: !isComplete(fit, wanted.limit) };

  function reasonAgainst(kept: KeptPrecedent, wording: Wording, similarity: number): ExclusionReason | undefined {
    if (wanted.precedents?.includes(kept.id)) return 'left-out';
    if ((wanted.subject !== undefined && kept.provenance.subject === wanted.subject) || sameWords(item, wording)) return 'itself';
    if (isFromScoredSet(kept, wanted)) return 'evaluation-set';
    const shared = overlap(item, wording);
    return shared === 1 || (shared >= copyOverlap && similarity >= copySimilarity) ? 'near-duplicate' : undefined;
  }
}

function isFromScoredSet({ provenance: { dataset, batch } }: KeptPrecedent, { datasets, beforeBatch }: Wanted): boolean {
  if (dataset === undefined || !datasets?.includes(dataset)) return false;
  return batch === undefined || beforeBatch === undefined || batch >= beforeBatch;
}

/** Cases of opposite labels in nearly the same words are a contrast to learn from, and both stay. */
function saysTheSame(better: Candidate & { wording: Wording }, label: KeptPrecedent['label'], wording: Wording): boolean {
  return better.kept.label === label && overlap(better.wording, wording) >= copyOverlap;
}

function isComplete(fit: readonly Candidate[], limit: number): boolean {
  if (fit.length < limit) return false;
  return limit === 1 || fit.some(({ kept }) => kept.label !== fit[0]!.kept.label);
}

/** The best; when all of them have one label, the best of the other takes the last place. */
function balanced(fit: readonly Candidate[], limit: number): Candidate[] {
  const best = fit.slice(0, limit);
  const other = fit[limit];
  return (other ? [...best.slice(0, -1), other] : best).map(({ kept, similarity }) => ({ kept, similarity }));
}

/** Similarities are told to four places. */
export function rounded(similarity: number): number {
  return Math.round(Math.min(1, Math.max(0, similarity)) * 1e4) / 1e4;
}
