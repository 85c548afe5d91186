/** A stretch of a text, or of a line. */
interface Stretch {
  start: number;
  end: number;
}

/** A rectangle, in shares of an image. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Marks of one kind: only those with the same key can meet. */
type Keyed<Of> = Of & { key: string };

/** Where at least so many of several lists of stretches are, in order and without overlaps. */
export function commonStretches(lists: readonly (readonly Stretch[])[], least: number): Stretch[] {
  const steps = lists
    .flatMap((list) => mergeStretches(list))
    .flatMap(({ start, end }) => [
      { at: start, by: 1 },
      { at: end, by: -1 },
    ])
    .toSorted((one, other) => one.at - other.at || other.by - one.by);
  const found: Stretch[] = [];
  let depth = 0;
  let start = 0;
  for (const { at, by } of steps) {
    const before = depth;
    depth += by;
    if (before < least && depth >= least) start = at;
    if (before >= least && depth < least && at > start) found.push({ start, end: at });
  }
  return found;
}

/** One person's stretches may overlap; they count once. */
function mergeStretches(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const { start, end } of stretches.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (end > start) merged.push({ start, end });
  }
  return merged;
}

function lengthOf(stretches: readonly Stretch[]): number {
  return mergeStretches(stretches).reduce((sum, { start, end }) => sum + end - start, 0);
}

/** F1 by characters: twice what both marked, over what each marked. Null where neither marked anything. */
export function stretchF1(first: readonly Keyed<Stretch>[], second: readonly Keyed<Stretch>[]): number | null {
  let [both, marked] = [0, 0];
  for (const [one, other] of byKey(first, second)) {
    both += lengthOf(commonStretches([one, other], 2));
    marked += lengthOf(one) + lengthOf(other);
  }
  return marked === 0 ? null : (2 * both) / marked;
}

/** Intersection over union of what each covers. Null where neither covers anything. */
export function rectangleOverlap(
  first: readonly Keyed<Rectangle>[],
  second: readonly Keyed<Rectangle>[],
): number | null {
  let [both, either] = [0, 0];
  for (const [one, other] of byKey(first, second)) {
    const together = coveredArea([...one, ...other]);
    both += coveredArea(one) + coveredArea(other) - together;
    either += together;
  }
  return either === 0 ? null : Math.max(0, both) / either;
}

function byKey<Of extends { key: string }>(first: readonly Of[], second: readonly Of[]): [Of[], Of[]][] {
  const keys = new Set([...first, ...second].map(({ key }) => key));
  return [...keys].map((key) => [first.filter((one) => one.key === key), second.filter((one) => one.key === key)]);
}

/** The area of several rectangles together, strip by strip between the edges that there are. */
function coveredArea(rectangles: readonly Rectangle[]): number {
  const edges = [...new Set(rectangles.flatMap(({ x, width }) => [x, x + width]))].toSorted(
    (one, other) => one - other,
  );
  return edges.slice(0, -1).reduce((area, left, index) => {
    const right = edges[index + 1]!;
    const across = rectangles.filter(({ x, width }) => x <= left && x + width >= right);
    return area + (right - left) * lengthOf(across.map(({ y, height }) => ({ start: y, end: y + height })));
  }, 0);
}
