import { resizePixels, type PixelBox, type Pixels } from '../pixels.ts';
import type { Network, NetworkOutput } from '../runtime/network.ts';
import type { SightView } from '../sight.ts';

/** Sides of what the networks look at, as they were taught. */
const sides = { objects: 224, nudity: 299 };

export interface SceneMeans {
  openObjects(): Promise<Network>;
  openNudity(): Promise<Network>;
}

/** Looks at the whole, which is squeezed into a square, and at the square in its middle, which is not. */
export async function seeScene(image: Pixels, means: SceneMeans): Promise<SightView[]> {
  const boxes = listBoxes(image);
  const [objects, map] = await runViews(image, boxes, sides.objects, await means.openObjects());
  const [nudity] = await runViews(image, boxes, sides.nudity, await means.openNudity());
  const [, , rows, columns] = map!.shape as [number, number, number, number];
  return boxes.map((box, index) => ({
    place: toParts(box, image),
    objects: takeRow(objects, index),
    map: { values: takeRow(map!, index), columns, rows },
    nudity: takeRow(nudity, index),
  }));
}

async function runViews(
  image: Pixels,
  boxes: readonly PixelBox[],
  side: number,
  network: Network,
): Promise<readonly [NetworkOutput, ...NetworkOutput[]]> {
  const bytes = side * side * 3;
  const pixels = new Uint8Array(bytes * boxes.length);
  for (const [index, box] of boxes.entries())
    pixels.set(resizePixels(image, { width: side, height: side }, box).data, index * bytes);
  return network.run(pixels, [boxes.length, side, side, 3]);
}

function takeRow({ values, shape }: NetworkOutput, row: number): Float32Array {
  const length = values.length / shape[0]!;
  return values.slice(row * length, (row + 1) * length);
}

function listBoxes({ width, height }: Pixels): PixelBox[] {
  const square = Math.min(width, height);
  return [
    { x: 0, y: 0, width, height },
    { x: (width - square) / 2, y: (height - square) / 2, width: square, height: square },
  ];
}

function toParts({ x, y, width, height }: PixelBox, image: Pixels): PixelBox {
  return { x: x / image.width, y: y / image.height, width: width / image.width, height: height / image.height };
}
