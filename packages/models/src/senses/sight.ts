import type { PixelBox } from './pixels.ts';
import type { LineRead } from './reading/read-text.ts';

/** What the image models are asked for. */
export interface Ask {
  text: boolean;
  /** Objects and nudity. */
  scene: boolean;
}

/** One look at an image, or at the largest square in its middle. */
export interface SightView {
  /** In parts of the image's sides. */
  place: PixelBox;
  /** Probabilities of the thousand classes of ImageNet. */
  objects: Float32Array;
  /** Where each class is seen: a score for each field of a grid, row after row, class after class. */
  map: { values: Float32Array; columns: number; rows: number };
  /** Probabilities of the kinds of picture that nudity is told by. */
  nudity: Float32Array;
}

/** What the image models made of an image, before it is put into words. */
export interface Sight {
  /** In reading order; null where text was not asked for. */
  lines: readonly LineRead[] | null;
  /** The whole first; null where the scene was not asked for. */
  views: readonly SightView[] | null;
}
