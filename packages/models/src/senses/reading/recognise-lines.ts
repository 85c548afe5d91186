import type { Pixels, TurnedBox } from '../pixels.ts';
import type { Network } from '../runtime/network.ts';

/** Reads one alphabet. */
export interface Recogniser {
  network: Network;
  /** What its outputs stand for; the first is the gap between letters. */
  characters: readonly string[];
}

export interface LetterRead {
  text: string;
  /** Where it stands along the line, 0 to 1. */
  at: number;
}

export interface LineReading {
  letters: readonly LetterRead[];
  /** Mean probability of the letters, 0 to 1. */
  confidence: number;
}

const height = 48;
/** The longest line that is read at once, in widths of its height. */
const mostWidth = 2400;
const step = 64;
const mostRows = 6;

interface Strip {
  index: number;
  data: Float32Array;
  width: number;
}

/** Reads the text in boxes of an image; strips of about one length are read together. */
export async function recogniseLines(
  image: Pixels,
  boxes: readonly TurnedBox[],
  { network, characters }: Recogniser,
): Promise<LineReading[]> {
  const strips = boxes.map((box, index) => ({ index, ...straighten(image, box) }));
  const readings: LineReading[] = [];
  const widths = Map.groupBy(strips, ({ width }) => Math.ceil(width / step) * step);
  for (const [width, group] of widths) {
    for (let from = 0; from < group.length; from += mostRows) {
      const batch = group.slice(from, from + mostRows);
      const [{ values, shape }] = await network.run(joinStrips(batch, width), [batch.length, 3, height, width]);
      const [, steps, classes] = shape as [number, number, number];
      for (const [row, strip] of batch.entries()) {
        const read = values.subarray(row * steps * classes, (row + 1) * steps * classes);
        readings[strip.index] = decodeLetters(read, { steps, classes }, characters, width / strip.width);
      }
    }
  }
  return readings;
}

function joinStrips(strips: readonly Strip[], width: number): Float32Array {
  const input = new Float32Array(strips.length * 3 * height * width);
  for (const [row, strip] of strips.entries()) {
    for (let line = 0; line < 3 * height; line += 1)
      input.set(strip.data.subarray(line * strip.width, (line + 1) * strip.width), (row * 3 * height + line) * width);
  }
  return input;
}

/** What stands in a turned box as an upright strip, blue first, from -1 to 1. */
function straighten({ data, width, height: rows }: Pixels, box: TurnedBox): { data: Float32Array; width: number } {
  const scale = height / box.height;
  const wide = Math.max(16, Math.min(mostWidth, Math.round(box.width * scale)));
  const strip = new Float32Array(3 * height * wide);
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)];
  for (let row = 0; row < height; row += 1) {
    const across = ((row + 0.5) / height - 0.5) * box.height;
    for (let column = 0; column < wide; column += 1) {
      const along = ((column + 0.5) / wide - 0.5) * box.width;
      const x = Math.min(width - 1.001, Math.max(0, box.x + along * cos - across * sin));
      const y = Math.min(rows - 1.001, Math.max(0, box.y + along * sin + across * cos));
      const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
      const [right, low] = [Math.min(width - 1, left + 1), Math.min(rows - 1, top + 1)];
      const [dx, dy] = [x - left, y - top];
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (px: number, py: number) => data[(py * width + px) * 3 + 2 - channel]!;
        const upper = at(left, top) * (1 - dx) + at(right, top) * dx;
        const lower = at(left, low) * (1 - dx) + at(right, low) * dx;
        strip[(channel * height + row) * wide + column] = (upper * (1 - dy) + lower * dy) / 127.5 - 1;
      }
    }
  }
  return { data: strip, width: wide };
}

/** The likeliest letter at each step, repeats and gaps left out. */
export function decodeLetters(
  values: Float32Array,
  { steps, classes }: { steps: number; classes: number },
  characters: readonly string[],
  stretch = 1,
): LineReading {
  const letters: LetterRead[] = [];
  let last = 0;
  let sum = 0;
  for (let index = 0; index < steps; index += 1) {
    let best = 0;
    const start = index * classes;
    for (let letter = 1; letter < classes; letter += 1)
      if (values[start + letter]! > values[start + best]!) best = letter;
    if (best !== 0 && best !== last) {
      letters.push({ text: characters[best] ?? '', at: Math.min(1, ((index + 0.5) / steps) * stretch) });
      sum += values[start + best]!;
    }
    last = best;
  }
  return { letters, confidence: letters.length === 0 ? 0 : sum / letters.length };
}
