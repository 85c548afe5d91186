import { availableParallelism } from 'node:os';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Pixels } from '../pixels.ts';
import type { Ask, Sight } from '../sight.ts';
import { locateParts, type PartFile } from './parts.ts';
import { openThread, type Thread } from './thread.ts';

export interface ImageWorkerOptions {
  files: Readonly<Record<string, PartFile>>;
  threads: number;
}

export interface Look {
  image: Pixels;
  part: keyof Ask;
}

/** The bundler gives the worker's file another name. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './image-models-worker.ts' : './image-models-worker.js',
  import.meta.url,
);

type Part = keyof Ask;
type ImageModel = Thread<Look, Sight>;

const opened = new Map<Part, ImageModel>();

/**
 * Looks at an image: text and scene each in a thread of its own, side by side. The signal stops the wait; idle threads
 * let the process end.
 */
export async function look(image: Pixels, ask: Ask, options: { signal?: AbortSignal } = {}): Promise<Sight> {
  const [text, scene] = await Promise.all([
    ask.text ? lookFor('text', image, options) : null,
    ask.scene ? lookFor('scene', image, options) : null,
  ]);
  return { lines: text?.lines ?? null, views: scene?.views ?? null };
}

async function lookFor(part: Part, image: Pixels, options: { signal?: AbortSignal }): Promise<Sight> {
  options.signal?.throwIfAborted();
  let model = opened.get(part);
  if (!model) opened.set(part, (model = openImageModels(part)));
  return model.ask({ image, part }, options);
}

/** Ends the threads that nobody waits for. Looking again starts new ones. */
export async function closeImageModels(): Promise<void> {
  for (const [part, model] of opened) {
    if (!model.isIdle()) continue;
    opened.delete(part);
    await model.close();
  }
}

function openImageModels(part: Part): ImageModel {
  const options: ImageWorkerOptions = { files: locateParts(), threads: Math.min(2, availableParallelism()) };
  return openThread<Look, Sight>(workerFile, options, { failed, onEnd: () => opened.delete(part) });
}

function failed(reason: string): AgonError {
  return new AgonError(
    'image-models-failed',
    `The image could not be looked at: ${reason.split('\n')[0]!.trim()}`,
    'Run `agon doctor`, or judge it without (--no-ocr --no-observations).',
  );
}
