import type { PixelBox, Pixels, TurnedBox } from '../pixels.ts';
import type { LineRead } from './read-text.ts';

/** By how much a page is turned, clockwise. */
export type Quarter = 0 | 90 | 180 | 270;

/** How many of a page's letters must run one way before the page is taken to be turned. */
const mostLetters = 0.6;

/** The quarter turn that most letters of a page have; nought where they do not agree. */
export function findQuarter(lines: readonly Pick<LineRead, 'box' | 'text'>[]): Quarter {
  const letters = new Map<Quarter, number>();
  let all = 0;
  for (const { box, text } of lines) {
    const quarter = ((((Math.round(box.angle / (Math.PI / 2)) % 4) + 4) % 4) * 90) as Quarter;
    letters.set(quarter, (letters.get(quarter) ?? 0) + text.length);
    all += text.length;
  }
  const [most] = [...letters].toSorted(([, left], [, right]) => right - left);
  return most !== undefined && most[1] > mostLetters * all ? most[0] : 0;
}

/** An image turned back by a quarter, so that what was turned stands upright. */
export function turnUpright({ data, width, height }: Pixels, quarter: Quarter): Pixels {
  const size = quarter % 180 === 0 ? { width, height } : { width: height, height: width };
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const [fromX, fromY] =
        quarter === 90
          ? [width - 1 - y, x]
          : quarter === 270
            ? [y, height - 1 - x]
            : quarter === 180
              ? [width - 1 - x, height - 1 - y]
              : [x, y];
      const [to, from] = [(y * size.width + x) * 3, (fromY * width + fromX) * 3];
      turned[to] = data[from]!;
      turned[to + 1] = data[from + 1]!;
      turned[to + 2] = data[from + 2]!;
    }
  }
  return { data: turned, ...size };
}

/** Lines of the upright image where they stand in the one that is turned. */
export function turnLinesBack(lines: readonly LineRead[], quarter: Quarter, image: Pixels): LineRead[] {
  return lines.map((line) => ({
    ...line,
    box: turnBoxBack(line.box, quarter, image),
    words: line.words.map((word) => ({ ...word, ...turnAreaBack(word, quarter, image) })),
  }));
}

function turnBoxBack(box: TurnedBox, quarter: Quarter, { width, height }: Pixels): TurnedBox {
  const [x, y] =
    quarter === 90
      ? [width - box.y, box.x]
      : quarter === 270
        ? [box.y, height - box.x]
        : [width - box.x, height - box.y];
  return { ...box, x, y, angle: box.angle + (quarter * Math.PI) / 180 };
}

function turnAreaBack({ x, y, width, height }: PixelBox, quarter: Quarter, image: Pixels): PixelBox {
  if (quarter === 90) return { x: image.width - y - height, y: x, width: height, height: width };
  if (quarter === 270) return { x: y, y: image.height - x - width, width: height, height: width };
  return { x: image.width - x - width, y: image.height - y - height, width, height };
}
