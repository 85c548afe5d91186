import { meanOf, ratio } from './summaries.ts';

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

/**
 * Cohen's kappa of a square table of counts: rows as one rater said it, columns as the other did. Null where chance
 * alone explains all.
 */
export function kappaOf(table: readonly (readonly number[])[]): number | null {
  const rows = table.map((row) => row.reduce((total, count) => total + count, 0));
  const columns = table.map((_, column) => table.reduce((total, row) => total + row[column]!, 0));
  const all = rows.reduce((total, count) => total + count, 0);
  const met = table.reduce((total, row, label) => total + row[label]!, 0);
  // In counts, which are exact: chance is `byChance / all` of all.
  const byChance = rows.reduce((total, count, label) => total + count * columns[label]!, 0);
  return all === 0 || byChance === all * all ? null : (all * met - byChance) / (all * all - byChance);
}

/** Cohen's kappa of what two raters said of the same items, in any labels. */
export function cohenKappa(first: readonly string[], second: readonly string[]): number | null {
  const labels = [...new Set([...first, ...second])];
  const places = new Map(labels.map((label, place) => [label, place]));
  const table = labels.map(() => labels.map(() => 0));
  first.forEach((label, item) => {
    table[places.get(label)!]![places.get(second[item]!)!]! += 1;
  });
  return kappaOf(table);
}

/** How far people agree who judged the same items, all together and two by two. */
export interface AgreementBetween {
  /** Items that two or more judged. */
  items: number;
  raters: string[];
  percent: number | null;
  /** Of two raters Cohen's; of more, the mean over their pairs. */
  kappa: number | null;
  alpha: number | null;
  pairs: { between: [string, string]; items: number; percent: number | null; kappa: number | null }[];
}

/** Of each item what was said by whom. */
export function agreementBetween(items: readonly ReadonlyMap<string, string>[]): AgreementBetween {
  const judged = items.filter((said) => said.size > 1);
  const raters = [...new Set(judged.flatMap((said) => [...said.keys()]))].toSorted();
  const labels = judged.map((said) => [...said.values()]);
  const pairs = pairsIn(judged, raters);
  return {
    items: judged.length,
    raters,
    percent: percentAgreement(labels),
    kappa: meanOf(pairs.flatMap(({ kappa }) => (kappa === null ? [] : [kappa]))),
    alpha: krippendorffAlpha(labels),
    pairs,
  };
}

/** Only of those who met on an item. */
function pairsIn(items: readonly ReadonlyMap<string, string>[], raters: readonly string[]): AgreementBetween['pairs'] {
  return raters.flatMap((one, index) => {
    const known = items.filter((said) => said.has(one));
    return raters.slice(index + 1).flatMap((other) => {
      const both = known.filter((said) => said.has(other));
      if (both.length === 0) return [];
      const [first, second] = [both.map((said) => said.get(one)!), both.map((said) => said.get(other)!)];
      return [
        {
          between: [one, other] as [string, string],
          items: both.length,
          percent: ratio(first.filter((label, item) => label === second[item]).length, both.length),
          kappa: cohenKappa(first, second),
        },
      ];
    });
  });
}

/** Whether all who rated an item said the same of it. */
export function unanimous(raters: readonly string[]): boolean {
  return raters.every((label) => label === raters[0]);
}

/** The share of raters who gave this label: a soft label. */
export function shareOf(raters: readonly string[], label: string): number {
  return raters.length === 0 ? 0 : raters.filter((given) => given === label).length / raters.length;
}

/** How often one rater, picked at random for each item, would have said what was said. Nobody says `undecided`. */
export function agreementWithRaters(items: readonly { said: string; raters: readonly string[] }[]): number | null {
  return meanOf(items.map(({ said, raters }) => shareOf(raters, said)));
}

/** The mean square of what a probability was off from the share of raters. */
export function softBrier(items: readonly { probability: number; share: number }[]): number | null {
  return meanOf(items.map(({ probability, share }) => (probability - share) ** 2));
}

/** One item over several repeats. */
export interface Trials {
  right: number;
  runs: number;
}

/**
 * pass^k: how likely k repeats of an item are all right, as the mean over items. For each it is the share of its
 * choices of k repeats that hold right ones only, C(right, k) / C(runs, k), which is unbiased. Null where no item has
 * k repeats.
 */
export function passK(items: readonly Trials[], k: number): number | null {
  return meanOf(items.filter(({ runs }) => runs >= k).map((trials) => allRight(trials, k)));
}

function allRight({ right, runs }: Trials, k: number): number {
  if (right < k) return 0;
  let share = 1;
  for (let taken = 0; taken < k; taken++) share *= (right - taken) / (runs - taken);
  return share;
}

/** The label that more gave than any other, and how many did; with a tie no label, and the votes of one side. */
export function majorityOf<Label extends string>(labels: readonly Label[]): { label: Label | null; votes: number } {
  const counts = new Map<Label, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const votes = Math.max(0, ...counts.values());
  const leading = [...counts].filter(([, count]) => count === votes).map(([label]) => label);
  return { label: leading.length === 1 ? leading[0]! : null, votes };
}
