import type { Exclusion, ExclusionReason, PrecedentQuery } from '@agonhq/engine/debate';
import type { PictureMatch } from '@agonhq/engine/fingerprint';
import type { KeptPrecedent } from './precedent.ts';
import { overlapOfWords, sameWords, wordingOf, type Wording } from './compare-wording.ts';
import type { SimilarityScale } from './similarity-scale.ts';

/** A precedent that may be shown, with its similarity to the case. */
export interface Candidate {
  kept: KeptPrecedent;
  similarity: number;
  /** How its picture is that of the case, where it is a copy. */
  picture?: PictureMatch;
}

export interface Choice {
  chosen: Candidate[];
  excluded: Exclusion[];
  /** The kinds of which there are too few, or of one label only: further candidates could still change it. */
  missing: PrecedentKind[];
}

/** Who decided it: we, for the seeds that ship, or people who confirmed it. */
export type PrecedentKind = 'seed' | 'confirmed';

export function kindOf({ confirmedBy }: KeptPrecedent): PrecedentKind {
  return confirmedBy === 'seed' ? 'seed' : 'confirmed';
}

type Wanted = Omit<PrecedentQuery, 'signal'>;

interface Fit extends Candidate {
  /** The similarity, less what another modality counts against it. */
  standing: number;
  wording: Wording;
}

/** Two texts that share so many of their neighbouring words say the same in the same words. */
export const copyOverlap = 0.75;

/**
 * Of three places one is for a seed and two for cases that people confirmed, so that neither kind silences the other.
 */
const seedShare = 1 / 3;

/**
 * Which of the candidates are shown to the debate, the most alike first: never what must not be seen, and in a
 * measurement neither the item itself nor a copy of it; of copies of each other the best; seeds and confirmed cases,
 * and both labels of each kind, when they are among the candidates. Below the similarity of a copy two texts of many
 * common words still differ in what they are about.
 */
export function choosePrecedents(candidates: readonly Candidate[], wanted: Wanted, scale: SimilarityScale): Choice {
  const item = wordingOf(wanted.text);
  const excluded: Exclusion[] = [];
  const [seeds, confirmed]: [Fit[], Fit[]] = [[], []];
  for (const { kept, similarity, standing, picture } of inOrder(candidates, wanted, scale)) {
    const fit = kindOf(kept) === 'seed' ? seeds : confirmed;
    if (isComplete(fit, wanted.limit)) continue;
    const wording = wordingOf(kept.text);
    const reason =
      reasonAgainst(kept, wording, similarity, picture) ??
      ([...seeds, ...confirmed].some((better) => saysTheSame(better, kept.label, wording)) ? 'collapsed' : undefined);
    if (reason) excluded.push({ id: kept.id, reason, similarity: rounded(similarity) });
    else if (fit.length < wanted.limit || kept.label !== fit[0]!.kept.label)
      fit.push({ kept, similarity, standing, wording, ...(picture ? { picture } : {}) });
  }
  const forSeeds = Math.round(wanted.limit * seedShare);
  const forConfirmed = wanted.limit - forSeeds;
  const shown = [
    ...balanced(seeds, Math.max(forSeeds, wanted.limit - confirmed.length)),
    ...balanced(confirmed, Math.max(forConfirmed, wanted.limit - seeds.length)),
  ].sort(byStanding);
  const others = [...seeds, ...confirmed].filter((one) => !shown.includes(one)).sort(byStanding);
  return {
    chosen: balanced([...shown, ...others], wanted.limit).map(({ kept, similarity, picture }) => ({
      kept,
      similarity,
      ...(picture ? { picture } : {}),
    })),
    excluded,
    missing: [
      ...(isComplete(seeds, forSeeds) ? [] : ['seed' as const]),
      ...(isComplete(confirmed, forConfirmed) ? [] : ['confirmed' as const]),
    ],
  };

  function reasonAgainst(
    kept: KeptPrecedent,
    wording: Wording,
    similarity: number,
    picture: PictureMatch | undefined,
  ): ExclusionReason | undefined {
    if (wanted.precedents?.includes(kept.id)) return 'left-out';
    if (isFromScoredSet(kept, wanted)) return 'evaluation-set';
    if (!wanted.copies) return undefined;
    if (wanted.subject !== undefined && kept.provenance.subject === wanted.subject) return 'itself';
    // A copy of a picture that was decided is what is looked for, and small image models say the same of it.
    if (picture) return undefined;
    if (sameWords(item, wording)) return 'itself';
    const shared = overlapOfWords(item, wording, copyOverlap);
    return shared === 1 || (shared >= copyOverlap && similarity >= scale.copy) ? 'near-duplicate' : undefined;
  }
}

/**
 * Where an image is judged, a case of another modality must be the more alike. To a text all are alike that say
 * alike.
 */
function inOrder(
  candidates: readonly Candidate[],
  { modality }: Wanted,
  { least, otherModality }: SimilarityScale,
): (Candidate & { standing: number })[] {
  const isOther = (kept: KeptPrecedent) =>
    modality !== undefined && modality !== 'text' && kept.modality !== undefined && kept.modality !== modality;
  return candidates
    .map((candidate) => ({
      ...candidate,
      // A copy of the picture comes before whatever only sounds alike.
      standing: candidate.similarity + (candidate.picture ? 1 : isOther(candidate.kept) ? -otherModality : 0),
    }))
    .filter(({ standing }) => standing >= least)
    .sort(byStanding);
}

function byStanding(one: { standing: number }, other: { standing: number }): number {
  return other.standing - one.standing;
}

function isFromScoredSet(
  { provenance: { dataset, batch } }: KeptPrecedent,
  { datasets, beforeBatch }: Wanted,
): boolean {
  if (dataset === undefined || !datasets?.includes(dataset)) return false;
  return batch === undefined || beforeBatch === undefined || batch >= beforeBatch;
}

/** Cases of opposite labels in nearly the same words are a contrast to learn from, and both stay. */
function saysTheSame(better: Fit, label: KeptPrecedent['label'], wording: Wording): boolean {
  return better.kept.label === label && overlapOfWords(better.wording, wording, copyOverlap) >= copyOverlap;
}

function isComplete(fit: readonly Candidate[], limit: number): boolean {
  if (fit.length < limit) return false;
  return limit <= 1 || fit.some(({ kept }) => kept.label !== fit[0]!.kept.label);
}

/** The best; when all of them have one label, the best of the other takes the last place. */
function balanced(fit: readonly Fit[], places: number): Fit[] {
  const best = fit.slice(0, places);
  const other =
    places > 1 && best.every(({ kept }) => kept.label === best[0]?.kept.label)
      ? fit.slice(places).find(({ kept }) => kept.label !== best[0]?.kept.label)
      : undefined;
  return other ? [...best.slice(0, -1), other] : best;
}

/** Similarities are told to four places. */
export function rounded(similarity: number): number {
  return Math.round(Math.min(1, Math.max(0, similarity)) * 1e4) / 1e4;
}
