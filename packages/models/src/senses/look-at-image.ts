import { describeScene, keepWhatMatters } from './seeing/describe-scene.ts';
import { judgeNudity, type Nudity } from './seeing/judge-nudity.ts';
import { nameObjects, type NamedObject } from './seeing/name-objects.ts';
import { joinLines } from './read-image-text.ts';
import type { PixelBox, Pixels } from './pixels.ts';
import { boundPart } from './reading/read-text.ts';
import { look } from './runtime/image-models.ts';
import type { Ask } from './sight.ts';

/** What the embedded image models say of an image. */
export interface ImageLook {
  /** Null where text was not asked for. */
  text: {
    text: string;
    confidence: number;
    lines: readonly { text: string; confidence: number; box: PixelBox }[];
  } | null;
  /** Null where the scene was not asked for. */
  scene: { description: string; weighed: string; objects: readonly NamedObject[]; nudity: Nudity } | null;
}

/**
 * Looks at an image with the embedded image models: the text in it, the things in it, and whether it shows nudity.
 * Boxes are in parts of the image's sides.
 */
export async function lookAtImage(
  pixels: Pixels,
  ask: Ask,
  options: { signal?: AbortSignal } = {},
): Promise<ImageLook> {
  const [{ lines }, { views }] = await Promise.all([
    ask.text ? look(pixels, { text: true, scene: false }, options) : { lines: null },
    ask.scene ? look(pixels, { text: false, scene: true }, options) : { views: null },
  ]);
  const read = lines && {
    ...joinLines(lines),
    lines: lines.map(({ text, confidence, box }) => ({ text, confidence, box: toParts(boundPart(box, 0, 1), pixels) })),
  };
  if (!views) return { text: read, scene: null };
  const { loadObjectTable } = await import('./seeing/object-table.ts');
  const objects = nameObjects(views, await loadObjectTable(), { isPage: isPage(read?.lines ?? []) });
  const nudity = judgeNudity(views, { hasSwimwear: objects.some(({ kind }) => kind === 'swimwear') });
  const scene = { objects, nudity, text: read?.text ?? '' };
  const [description, weighed] = [describeScene(scene), describeScene(keepWhatMatters(scene))];
  return { text: read, scene: { description, weighed, objects, nudity } };
}

/** So many lines, or so much of the area, make a page of text. */
const page = { lines: 12, area: 0.12 };

function isPage(lines: readonly { box: PixelBox }[]): boolean {
  const area = lines.reduce((sum, { box }) => sum + box.width * box.height, 0);
  return lines.length >= page.lines || area >= page.area;
}

/** Within the image: a box grown around letters may reach over its edge. */
function toParts({ x, y, width, height }: PixelBox, image: Pixels): PixelBox {
  const clamp = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
  const [left, top] = [clamp(x / image.width), clamp(y / image.height)];
  return {
    x: left,
    y: top,
    width: clamp((x + width) / image.width - left),
    height: clamp((y + height) / image.height - top),
  };
}
