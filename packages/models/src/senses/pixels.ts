/** A decoded image: RGB, three bytes a pixel, row after row. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A rectangle that may stand askew: its centre, its sides, and the turn of its width against the horizontal. */
export interface TurnedBox {
  x: number;
  y: number;
  width: number;
  height: number;
  /** In radians, clockwise as the y axis points down. */
  angle: number;
}

/** An upright rectangle in pixels. */
export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The image at another size, smooth in both directions: every pixel is the mean of those it stands for. */
export function resizePixels(
  { data, width, height }: Pixels,
  to: { width: number; height: number },
  from: PixelBox = { x: 0, y: 0, width, height },
): Pixels {
  const columns = spread(from.x, from.width, to.width, width);
  const rows = spread(from.y, from.height, to.height, height);
  // First along the rows that are needed, then along the columns.
  const firstRow = rows.starts[0]!;
  const lastRow = rows.starts.at(-1)! + rows.weights.at(-1)!.length;
  const narrow = new Float32Array((lastRow - firstRow) * to.width * 3);
  for (let y = firstRow; y < lastRow; y += 1) {
    for (let x = 0; x < to.width; x += 1) {
      const weights = columns.weights[x]!;
      let at = (y * width + columns.starts[x]!) * 3;
      let [red, green, blue] = [0, 0, 0];
      for (const weight of weights) {
        red += weight * data[at]!;
        green += weight * data[at + 1]!;
        blue += weight * data[at + 2]!;
        at += 3;
      }
      const target = ((y - firstRow) * to.width + x) * 3;
      narrow[target] = red;
      narrow[target + 1] = green;
      narrow[target + 2] = blue;
    }
  }
  const resized = new Uint8Array(to.width * to.height * 3);
  const stride = to.width * 3;
  for (let y = 0; y < to.height; y += 1) {
    const weights = rows.weights[y]!;
    const start = (rows.starts[y]! - firstRow) * stride;
    for (let x = 0; x < stride; x += 1) {
      let value = 0;
      for (let tap = 0; tap < weights.length; tap += 1) value += weights[tap]! * narrow[start + tap * stride + x]!;
      resized[y * stride + x] = value + 0.5;
    }
  }
  return { data: resized, ...to };
}

/** For every pixel of a side, which old ones it is made of and by how much: a tent as wide as the pixel. */
function spread(
  start: number,
  length: number,
  count: number,
  limit: number,
): { starts: number[]; weights: number[][] } {
  const scale = length / count;
  const reach = Math.max(1, scale);
  const starts: number[] = [];
  const weights: number[][] = [];
  for (let index = 0; index < count; index += 1) {
    const centre = start + (index + 0.5) * scale - 0.5;
    const first = Math.max(0, Math.ceil(centre - reach));
    const last = Math.min(limit - 1, Math.floor(centre + reach));
    const raw: number[] = [];
    for (let at = first; at <= last; at += 1) raw.push(Math.max(0, 1 - Math.abs(at - centre) / reach));
    const sum = raw.reduce((total, weight) => total + weight, 0);
    starts.push(sum > 0 ? first : Math.min(limit - 1, Math.max(0, Math.round(centre))));
    weights.push(sum > 0 ? raw.map((weight) => weight / sum) : [1]);
  }
  return { starts, weights };
}
