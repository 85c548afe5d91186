import { resizePixels, type Pixels, type TurnedBox } from '../pixels.ts';
import type { Network } from '../runtime/network.ts';

/** The longer side of what the detector looks at first, and at most. */
const sides = { least: 736, first: 960, most: 2240 };
/** Lines lower than this are hardly told from texture: a larger rendering is looked at. */
const lowLine = 14;
const step = 32;
const means = [0.485, 0.456, 0.406];
const deviations = [0.229, 0.224, 0.225];

/** Where lines of text stand in an image, each in a box that may be turned. */
export async function detectLines(image: Pixels, detector: Network): Promise<TurnedBox[]> {
  const side = Math.max(image.width, image.height);
  // Small images are enlarged, at most to twice their size.
  const shown = Math.min(sides.first, Math.max(side, Math.min(2 * side, sides.least)));
  const first = await detectAt(shown, image, detector);
  const heights = first.map(({ seen }) => seen.height).toSorted((a, b) => a - b);
  const median = heights[Math.floor(heights.length / 2)];
  if (median === undefined || median > lowLine || side <= sides.first) return first.map(({ box }) => box);
  const closer = await detectAt(Math.min(sides.most, side), image, detector);
  return closer.map(({ box }) => box);
}

/** The boxes in pixels of the image, and as the detector saw them. */
async function detectAt(
  side: number,
  image: Pixels,
  detector: Network,
): Promise<{ box: TurnedBox; seen: TurnedBox }[]> {
  const scale = side / Math.max(image.width, image.height);
  const fit = (length: number) => Math.max(step, Math.round((length * scale) / step) * step);
  const size = { width: fit(image.width), height: fit(image.height) };
  const seenImage = resizePixels(image, size);
  const [{ values }] = await detector.run(toInput(seenImage), [1, 3, size.height, size.width]);
  const across = { x: image.width / size.width, y: image.height / size.height };
  return findRegions({ values, ...size }).map(({ box }) => ({ box: stretchBox(box, across), seen: box }));
}

/** The two sides are rounded to multiples of 32, so that they are not scaled quite alike. */
function stretchBox({ x, y, width, height, angle }: TurnedBox, by: { x: number; y: number }): TurnedBox {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return {
    x: x * by.x,
    y: y * by.y,
    width: width * Math.hypot(cos * by.x, sin * by.y),
    height: height * Math.hypot(sin * by.x, cos * by.y),
    angle: Math.atan2(sin * by.y, cos * by.x),
  };
}

/** Channel after channel, blue first, as the network was taught. */
function toInput({ data, width, height }: Pixels): Float32Array {
  const size = width * height;
  const input = new Float32Array(size * 3);
  for (let channel = 0; channel < 3; channel += 1) {
    const [mean, deviation] = [means[channel]!, deviations[channel]!];
    for (let at = 0; at < size; at += 1)
      input[channel * size + at] = (data[at * 3 + 2 - channel]! / 255 - mean) / deviation;
  }
  return input;
}

/** A map of how much each pixel looks like text, 0 to 1. */
interface TextMap {
  values: Float32Array;
  width: number;
  height: number;
}

interface Region {
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
