import type { Fingerprint } from '@agonhq/engine/fingerprint';
import type { Pixels } from '../pixels.ts';

/*
 * PDQ, after its description by Facebook (2017): luminance, blurred and thinned out to 64 × 64, of its cosine transform
 * the lowest 16 × 16 waves without the constant one, each a bit by whether it is above their median.
 */

const side = 64;
const waves = 16;
/** PDQ does not tell smaller ones. */
const leastSide = 5;

/** The longest side of what is hashed: more tells nothing more. */
export const hashedSide = 512;

const cosines = Float64Array.from({ length: waves * side }, (_, at) => {
  const [wave, place] = [Math.floor(at / side) + 1, at % side];
  return Math.sqrt(2 / side) * Math.cos((Math.PI / 2 / side) * wave * (2 * place + 1));
});

/** What is left when an edge is cut off, in parts of the sides. */
type Crop = readonly [left: number, top: number, right: number, bottom: number];
const crops: readonly Crop[] = [
  ...[0.025, 0.05, 0.075, 0.1].map((edge) => [edge, edge, 1 - edge, 1 - edge] as const),
  [0.1, 0, 1, 1],
  [0, 0.1, 1, 1],
  [0, 0, 0.9, 1],
  [0, 0, 1, 0.9],
  [0, 0, 0.9, 0.9],
  [0.1, 0, 1, 0.9],
  [0, 0.1, 0.9, 1],
  [0.1, 0.1, 1, 1],
];

/** The fingerprint of an image's pixels, at most 512 a side. */
export function hashPixels(pixels: Pixels): Fingerprint {
  if (pixels.width < leastSide || pixels.height < leastSide) return { pdq: '0'.repeat(64), quality: 0 };
  const blurred = blurLuminance(pixels);
  const whole = thinOut(blurred, [0, 0, 1, 1]);
  return {
    pdq: toBits(transform(whole)),
    quality: measureQuality(whole),
    crops: crops.map((crop) => toBits(transform(thinOut(blurred, crop)))),
  };
}

interface Luminance {
  values: Float32Array;
  width: number;
  height: number;
}

/** Two means one after the other are a tent; each reaches over half of what becomes one pixel. */
function blurLuminance({ data, width, height }: Pixels): Luminance {
  let values = new Float32Array(width * height);
  for (let at = 0; at < values.length; at += 1)
    values[at] = 0.299 * data[at * 3]! + 0.587 * data[at * 3 + 1]! + 0.114 * data[at * 3 + 2]!;
  for (let pass = 0; pass < 2; pass += 1) {
    values = blur(values, { lines: height, length: width, step: 1, stride: width });
    values = blur(values, { lines: width, length: height, step: width, stride: 1 });
  }
  return { values, width, height };
}

/** A part of the image as 64 × 64 of its values. */
function thinOut({ values, width, height }: Luminance, [left, top, right, bottom]: Crop): Float32Array {
  return Float32Array.from({ length: side * side }, (_, at) => {
    const [row, column] = [Math.floor(at / side), at % side];
    const y = Math.floor((top + ((row + 0.5) * (bottom - top)) / side) * height);
    const x = Math.floor((left + ((column + 0.5) * (right - left)) / side) * width);
    return values[y * width + x]!;
  });
}

interface Lines {
  lines: number;
  length: number;
  /** From one value of a line to the next, and from one line to the next. */
  step: number;
  stride: number;
}

/** The mean of the values around each, along lines; at the ends of those that are there. */
function blur(values: Float32Array, { lines, length, step, stride }: Lines): Float32Array<ArrayBuffer> {
  const window = Math.ceil(length / (2 * side));
  const after = Math.floor(window / 2);
  const before = window - after - 1;
  const blurred = new Float32Array(values.length);
  for (let line = 0; line < lines; line += 1) {
    const start = line * stride;
    let sum = 0;
    for (let place = 0; place < Math.min(after, length); place += 1) sum += values[start + place * step]!;
    for (let place = 0; place < length; place += 1) {
      if (place + after < length) sum += values[start + (place + after) * step]!;
      if (place > before) sum -= values[start + (place - before - 1) * step]!;
      const count = Math.min(length - 1, place + after) - Math.max(0, place - before) + 1;
      blurred[start + place * step] = sum / count;
    }
  }
  return blurred;
}

function transform(small: Float32Array): Float64Array {
  const half = new Float64Array(waves * side);
  const whole = new Float64Array(waves * waves);
  for (let wave = 0; wave < waves; wave += 1)
    for (let column = 0; column < side; column += 1)
      for (let row = 0; row < side; row += 1)
        half[wave * side + column]! += cosines[wave * side + row]! * small[row * side + column]!;
  for (let down = 0; down < waves; down += 1)
    for (let across = 0; across < waves; across += 1)
      for (let column = 0; column < side; column += 1)
        whole[down * waves + across]! += half[down * side + column]! * cosines[across * side + column]!;
  return whole;
}

/** The first wave is the last bit, as PDQ writes it. */
function toBits(values: Float64Array): string {
  const median = values.toSorted()[values.length / 2 - 1]!;
  let hash = '';
  for (let at = values.length - 4; at >= 0; at -= 4)
    hash += [3, 2, 1, 0].reduce((digit, bit) => digit * 2 + Number(values[at + bit]! > median), 0).toString(16);
  return hash;
}

/** How many notable differences there are between neighbours. */
function measureQuality(small: Float32Array): number {
  let sum = 0;
  const count = (one: number, other: number) => (sum += Math.abs(Math.trunc(((one - other) * 100) / 255)));
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      const at = row * side + column;
      if (row < side - 1) count(small[at]!, small[at + side]!);
      if (column < side - 1) count(small[at]!, small[at + 1]!);
    }
  return Math.min(100, Math.floor(sum / 90));
}
