import { resizePixels, type Pixels, type TurnedBox } from '../pixels.ts';
import type { Network } from '../runtime/network.ts';
import { findRegions } from './find-regions.ts';

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
