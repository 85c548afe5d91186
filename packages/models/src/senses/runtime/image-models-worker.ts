/** A thread of its own, because onnxruntime-node's `run` blocks the one it is called in, and pixels are many. */
import { workerData } from 'node:worker_threads';
import { readText, type Alphabet, type ReadingMeans } from '../reading/read-text.ts';
import { seeScene, type SceneMeans } from '../seeing/see-scene.ts';
import type { Sight } from '../sight.ts';
import type { Look, ImageWorkerOptions } from './image-models.ts';
import { openNetwork, type Network } from './network.ts';
import { readChecked } from './read-checked.ts';
import { answerInTurn } from './thread.ts';

const { files, threads } = workerData as ImageWorkerOptions;

const opened = new Map<string, Promise<unknown>>();

/** Opens a part once; after a failure the next one tries again. */
function once<Part>(name: string, open: () => Promise<Part>): Promise<Part> {
  let part = opened.get(name) as Promise<Part> | undefined;
  if (!part) {
    part = open();
    opened.set(name, part);
    part.catch(() => opened.delete(name));
  }
  return part;
}

const openPart = async (part: string): Promise<Network> => openNetwork(await readChecked(files[part]!), threads);

const readLines = async (part: string) =>
  (await readChecked(files[part]!))
    .toString('utf8')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);

const means: ReadingMeans & SceneMeans = {
  openDetector: () => once('detect', () => openPart('detect')),
  openRecogniser: (alphabet: Alphabet) =>
    once(`read-${alphabet}`, async () => ({
      network: await openPart(`read-${alphabet}`),
      characters: ['', ...(await readLines(`letters-${alphabet}`)), ' '],
    })),
  openObjects: () => once('objects', () => openPart('objects')),
  openNudity: () => once('nudity', () => openPart('nudity')),
};

answerInTurn(async ({ image, part }: Look): Promise<Sight> => ({
  lines: part === 'text' ? await readText(image, means) : null,
  views: part === 'scene' ? await seeScene(image, means) : null,
}));
