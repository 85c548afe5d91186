import type { TurnedBox } from '../pixels.ts';

/** A map of how much each pixel looks like text, 0 to 1. */
export interface TextMap {
  values: Float32Array;
  width: number;
  height: number;
}

export interface Region {
  box: TurnedBox;
  /** How much its pixels look like text, on average. */
  score: number;
}

interface Point {
  x: number;
  y: number;
}

/** From here a pixel belongs to text; whole regions must be surer. */
const leastValue = 0.3;
const leastScore = 0.5;
const leastSide = 3;
/** The network is taught shrunken regions: a box is grown by this share of its area over its outline. */
const growth = 1.6;
const mostRegions = 1000;

/** The connected regions that look like text, each in the smallest box that holds it, grown to hold whole letters. */
export function findRegions({ values, width, height }: TextMap): Region[] {
  const seen = new Uint8Array(values.length);
  const stack: number[] = [];
  const regions: Region[] = [];
  for (let start = 0; start < values.length && regions.length < mostRegions; start += 1) {
    if (seen[start] || values[start]! < leastValue) continue;
    const outline: Point[] = [];
    let sum = 0;
    let count = 0;
    seen[start] = 1;
    stack.push(start);
    while (stack.length > 0) {
      const at = stack.pop()!;
      const x = at % width;
      const y = (at - x) / width;
      sum += values[at]!;
      count += 1;
      let inside = 0;
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
          const next = row * width + column;
          if (values[next]! < leastValue) continue;
          inside += 1;
          if (seen[next]) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
      if (inside < 9) outline.push({ x, y });
    }
    const score = sum / count;
    if (score < leastScore || count < leastSide * leastSide) continue;
    const box = fitBox(outline);
    if (Math.min(box.width, box.height) < leastSide) continue;
    regions.push({ box: growBox(box), score });
  }
  return regions;
}

function growBox(box: TurnedBox): TurnedBox {
  const by = ((box.width * box.height) / (2 * (box.width + box.height))) * growth;
  return { ...box, width: box.width + 2 * by, height: box.height + 2 * by };
}

/** The smallest rectangle around points: one of its sides lies on a side of their hull. */
export function fitBox(points: readonly Point[]): TurnedBox {
  const hull = findHull(points);
  let best: TurnedBox | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length]!;
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of hull) {
      const along = x * cos + y * sin;
      const across = y * cos - x * sin;
      left = Math.min(left, along);
      right = Math.max(right, along);
      top = Math.min(top, across);
      bottom = Math.max(bottom, across);
    }
    // A pixel is as wide as one.
    const [width, height] = [right - left + 1, bottom - top + 1];
    if (width * height >= least) continue;
    least = width * height;
    const [along, across] = [(left + right) / 2, (top + bottom) / 2];
    best = { x: along * cos - across * sin, y: along * sin + across * cos, width, height, angle };
  }
  return lieDown(best ?? { x: points[0]!.x, y: points[0]!.y, width: 1, height: 1, angle: 0 });
}

/** A word stands on a line that is longer than high; only what is clearly taller than wide stands on its side. */
const tallness = 1.5;

/** The same box with the turn that its text most likely has: its width along the line. */
function lieDown(box: TurnedBox): TurnedBox {
  const angle = within(box.angle, Math.PI / 4);
  const turned = Math.round((box.angle - angle) / (Math.PI / 2)) % 2 !== 0;
  const upright = turned ? { ...box, width: box.height, height: box.width, angle } : { ...box, angle };
  if (upright.height < tallness * upright.width) return upright;
  return { ...upright, width: upright.height, height: upright.width, angle: angle + Math.PI / 2 };
}

/** An angle less quarter turns, at most `limit` from nought. */
function within(angle: number, limit: number): number {
  let turned = angle;
  while (turned > limit) turned -= Math.PI / 2;
  while (turned <= -limit) turned += Math.PI / 2;
  return turned;
}

/** The convex hull, by the monotone chain. */
function findHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const chain = (ordered: readonly Point[]): Point[] => {
    const hull: Point[] = [];
    for (const point of ordered) {
      while (hull.length > 1 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop();
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
