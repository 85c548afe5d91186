import { meanOf } from './mean.ts';

/** What raters said of one item; null where one said nothing. */
export type Ratings = readonly (string | null)[];

/** The share of pairs of raters who said the same, as the mean over the items that two or more rated. */
export function percentAgreement(items: readonly Ratings[]): number | null {
  return meanOf(
    pairable(items).map((counts) => {
      const raters = totalOf(counts);
      return [...counts.values()].reduce((pairs, count) => pairs + count * (count - 1), 0) / (raters * (raters - 1));
    }),
  );
}

/**
 * Krippendorff's alpha for labels without an order; any number of raters, gaps allowed. Null where no item has two
 * ratings, or all ratings are the same: then nothing could have been disagreed about.
 */
export function krippendorffAlpha(items: readonly Ratings[]): number | null {
  const units = pairable(items);
  const values = new Map<string, number>();
  let met = 0;
  for (const counts of units) {
    const raters = totalOf(counts);
    for (const [label, count] of counts) {
      values.set(label, (values.get(label) ?? 0) + count);
      met += (count * (count - 1)) / (raters - 1);
    }
  }
  const all = totalOf(values);
  const byChance = [...values.values()].reduce((pairs, count) => pairs + count * (count - 1), 0);
  const pairs = all * (all - 1);
  return pairs === byChance ? null : ((all - 1) * met - byChance) / (pairs - byChance);
}

/** How often each label was given, of the items that have two ratings or more. */
function pairable(items: readonly Ratings[]): Map<string, number>[] {
  return items
    .map((ratings) => {
      const counts = new Map<string, number>();
      for (const label of ratings) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
      return counts;
    })
    .filter((counts) => totalOf(counts) > 1);
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
