/** A thread of its own, because onnxruntime-node's `run` blocks the one it is called in, and pixels are many. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { readText, type Alphabet, type ReadingMeans } from '../reading/read-text.ts';
import { seeScene, type SceneMeans } from '../seeing/see-scene.ts';
import type { Look, LookAnswer, WorkerOptions } from './eyes.ts';
import { openNetwork, type Network } from './network.ts';

const { files, threads } = workerData as WorkerOptions;

/** Refused unless it is the very file that was shipped. */
async function readChecked(part: string): Promise<Buffer> {
  const { path, sha256 } = files[part]!;
  const bytes = await readFile(path);
  if (`sha256:${createHash('sha256').update(bytes).digest('hex')}` !== sha256)
    throw new Error(`${path} is not the file that was shipped: its hash differs`);
  return bytes;
}

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

const openPart = async (part: string): Promise<Network> => openNetwork(await readChecked(part), threads);

const readLines = async (part: string) =>
  (await readChecked(part))
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

async function look({ id, image, part }: Look): Promise<LookAnswer> {
  const lines = part === 'text' ? await readText(image, means) : null;
  const views = part === 'scene' ? await seeScene(image, means) : null;
  return { kind: 'sight', id, sight: { lines, views } };
}

// One after the other: two at once would only share the same cores.
let last: Promise<void> = Promise.resolve();

parentPort!.on('message', (asked: Look) => {
  last = last.then(async () => {
    const answer = await look(asked).catch((error: unknown): LookAnswer => ({
      kind: 'failure',
      id: asked.id,
      reason: error instanceof Error ? error.message : String(error),
    }));
    parentPort!.postMessage(answer, []);
  });
});
