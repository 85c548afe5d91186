import { bottom, right, union, type Area } from './geometry.ts';

/** Text with the number of its words, or something else (a table) that no gutter crosses. */
export interface Placed extends Area {
  words: number | null;
  /** Of text. */
  baseline?: number;
  /** Of text: it has words, and is no number or sign. */
  isWorded?: boolean;
}

/** So many lines side by side are columns of prose and not two cells. */
const fewestLines = 4;
const fewestRows = 3;
const narrowestGutter = 8;

/** Regions in reading order: where a gutter parts prose from prose, or from a table beside it, the left comes first. */
export function orderByColumns<T extends Placed>(things: readonly T[]): T[][] {
  const cut = findGutter(things);
  if (!cut) return things.length > 0 ? [[...things]] : [];
  const inside = (thing: T): boolean => thing.y >= cut.top - 1 && bottom(thing) <= cut.bottom + 1;
  const above = things.filter((thing) => !inside(thing) && thing.y < cut.top);
  const below = things.filter((thing) => !inside(thing) && thing.y >= cut.top);
  const left = things.filter((thing) => inside(thing) && thing.x < cut.at);
  const beside = things.filter((thing) => inside(thing) && thing.x >= cut.at);
  return [above, left, beside, below].flatMap((part) => orderByColumns(part));
}

interface Gutter {
  at: number;
  top: number;
  bottom: number;
  score: number;
}

function findGutter(things: readonly Placed[]): Gutter | null {
  if (things.length < 2 * fewestLines) return null;
  const page = union(things);
  const starts = new Set(
    things
      .map((thing) => Math.round(thing.x))
      .filter((x) => x > page.x + page.width * 0.2 && x < page.x + page.width * 0.8),
  );
  const sorted = things.toSorted((one, other) => one.y - other.y);
  let best: Gutter | null = null;
  for (const start of starts) {
    const there = things.filter((thing) => Math.abs(thing.x - start) <= 2);
    if (there.length < fewestLines && !there.some((thing) => thing.words === null)) continue;
    const at = start - narrowestGutter / 2;
    for (const stretch of findFreeStretches(sorted, at)) {
      const score = scoreColumns(stretch, at);
      if (score > 0 && score > (best?.score ?? 0)) {
        const area = union(stretch);
        best = { at, top: area.y, bottom: bottom(area), score };
      }
    }
  }
  return best;
}

/** Stretches of the page, from top to bottom, that nothing crosses at `at`. */
function findFreeStretches<T extends Placed>(sorted: readonly T[], at: number): T[][] {
  const crossing = sorted.filter(
    (thing) => thing.x < at - narrowestGutter / 2 && right(thing) > at - narrowestGutter / 2 + 1,
  );
  if (crossing.length > sorted.length * 0.7) return [];
  const stretches: T[][] = [];
  let top = -Infinity;
  for (const obstacle of [...crossing, null]) {
    const end = obstacle === null ? Infinity : obstacle.y + obstacle.height / 2;
    const members = sorted.filter(
      (thing) => !crossing.includes(thing) && thing.y + thing.height / 2 > top && thing.y + thing.height / 2 < end,
    );
    if (members.length >= 2 * fewestLines) stretches.push(members);
    top = obstacle === null ? Infinity : obstacle.y + obstacle.height / 2;
  }
  return stretches;
}

/** How much stands on both sides; 0 where they are no columns of a page. */
function scoreColumns(things: readonly Placed[], at: number): number {
  const left = things.filter((thing) => thing.x < at);
  const beside = things.filter((thing) => thing.x >= at);
  if (
    !(isProse(left) && isProse(beside)) &&
    !(areUnaligned(left, beside) && [left, beside].every((side) => isProse(side) || hasRows(side)))
  )
    return 0;
  const [one, other] = [union(left), union(beside)];
  const shared = Math.min(bottom(one), bottom(other)) - Math.max(one.y, other.y);
  if (shared < 0.5 * Math.min(one.height, other.height)) return 0;
  if (Math.min(one.width, other.width) < 0.3 * Math.max(one.width, other.width)) return 0;
  return things.length;
}

/** Whether two sides are set without regard to one another: the cells of a row share their baseline. */
function areUnaligned(left: readonly Placed[], beside: readonly Placed[]): boolean {
  const [one, other] = [listBaselines(left), listBaselines(beside)];
  const met = one.filter((baseline) => other.some((near) => Math.abs(near - baseline) < 1)).length;
  return met <= 0.4 * Math.min(one.length, other.length);
}

function listBaselines(things: readonly Placed[]): number[] {
  return [...new Set(things.flatMap(({ baseline }) => (baseline === undefined ? [] : [Math.round(baseline * 2) / 2])))];
}

/** A table of its own: numbers with their labels at the left edge. */
function hasRows(things: readonly Placed[]): boolean {
  if (things.some((thing) => thing.words === null)) return true;
  const edge = Math.min(...things.map((thing) => thing.x));
  const labels = things.filter((thing) => thing.x < edge + 3 && thing.isWorded);
  return (
    labels.filter((label) => things.some((thing) => !thing.isWorded && Math.abs(thing.baseline! - label.baseline!) < 1))
      .length >= fewestRows
  );
}

function isProse(things: readonly Placed[]): boolean {
  const texts = things.filter((thing) => thing.words !== null);
  if (texts.length < fewestLines) return false;
  const { width } = union(texts);
  const full = texts.filter((thing) => thing.width > 0.6 * width && thing.words! >= 3);
  return full.length >= fewestLines && countWords(full) >= 0.6 * countWords(texts);
}

function countWords(things: readonly Placed[]): number {
  return things.reduce((sum, thing) => sum + thing.words!, 0);
}
