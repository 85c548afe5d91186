import { AgonError } from '../../errors.ts';
import type { ItemLine } from '../../runs/index.ts';
import type { LabelledContent } from '../datasets/labelled-content.ts';
import { randomNumbers, shuffle } from '../../statistics/index.ts';

type Line = ItemLine<LabelledContent>;

/**
 * Divides items into batches of one size in which labels and modalities are as frequent as in the whole; the seed
 * decides who goes where.
 */
export function stratifiedBatches(lines: readonly Line[], count: number, seed: number): Line[][] {
  if (lines.length < count)
    throw new AgonError(
      'bad-flag',
      `${lines.length} items cannot be divided into ${count} batches.`,
      'Give fewer --batches, or more data.',
    );
  const random = randomNumbers(seed);
  const batches: Line[][] = Array.from({ length: count }, () => []);
  // One deal through all strata: what is left over of one is made up for by the next.
  const dealt = [...Map.groupBy(lines, stratumOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, members]) => shuffle(members, random));
  for (const [place, line] of dealt.entries()) batches[place % count]!.push(line);
  return batches.map((batch) => shuffle(batch, random));
}

/** Label and modality; lines that cannot be read are a stratum of their own. */
export function stratumOf(line: Line): string {
  if ('error' in line || AgonError.is(line.item.subject)) return 'unreadable';
  const { text, images = [] } = line.item.subject;
  return `${line.item.unsafe ? 'unsafe' : 'safe'} ${[text !== undefined && 'text', images.length > 0 && 'image'].filter(Boolean).join('+')}`;
}
