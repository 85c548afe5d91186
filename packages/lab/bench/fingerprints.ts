/**
 * Whether copies of an image are found by its fingerprint, and others not: npm run bench:fingerprints [-- --every 3] [--from 1]
 * Reads images/index.jsonl below AGON_DATASETS. The distance is chosen on every second image and measured on the rest.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { hashDistance, indexHashes, matchFingerprints, type Fingerprint } from '@agonhq/engine/fingerprint';
import { inspectImage, loadImage } from '@agonhq/models/senses';
import { randomNumbers, wilsonInterval } from '@agonhq/engine/statistics';
import { scale } from './scale.ts';

const { values: flags } = parseArgs({
  options: { every: { type: 'string' }, from: { type: 'string' }, short: { type: 'boolean' } },
});
const every = Number(flags.every ?? scale(1, 40));
const from = Number(flags.from ?? 0);
const folder = path.join(process.env['AGON_DATASETS'] ?? '', 'images');
const index = path.join(folder, 'index.jsonl');

timeSearch();
if (!existsSync(index)) {
  console.log('AGON_DATASETS names no folder with images/index.jsonl: copies and false matches were not measured.');
  process.exit(0);
}

/** What becomes of an image on its way from one person to the next. None is one of the crops that are hashed. */
const changes: Record<string, (image: Sharp, size: { width: number; height: number }) => Sharp> = {
  'half the size': (image, { width }) => image.resize(Math.ceil(width / 2)),
  'a quarter of the size': (image, { width }) => image.resize(Math.ceil(width / 4)),
  'JPEG, quality 30': (image) => image.jpeg({ quality: 30 }),
  'WebP, quality 50': (image) => image.webp({ quality: 50 }),
  'squeezed by a fifth': (image, { width, height }) => image.resize(width, Math.ceil(height * 0.8), { fit: 'fill' }),
  grey: (image) => image.greyscale(),
  'a fifth brighter': (image) => image.modulate({ brightness: 1.2 }),
  mirrored: (image) => image.flop(),
  'a line of text over it': (image, size) => image.composite([{ input: writeLine(size) }]),
  'a white frame of 5 %': (image, { width, height }) => {
    const [x, y] = [Math.round(width * 0.05), Math.round(height * 0.05)];
    return image.extend({ top: y, bottom: y, left: x, right: x, background: 'white' });
  },
  'cut by 4 %': (image, size) => image.extract(cut(size, 0.04, [0.5, 0.5])),
  'cut by 8 %, anywhere': (image, size) => image.extract(cut(size, 0.08, [random(), random()])),
  'cut by 13 %': (image, size) => image.extract(cut(size, 0.13, [0.5, 0.5])),
  'cut by 18 %, anywhere': (image, size) => image.extract(cut(size, 0.18, [random(), random()])),
  'cut by 30 %': (image, size) => image.extract(cut(size, 0.3, [0.5, 0.5])),
  'turned by 3°': (image) => image.rotate(3, { background: 'black' }),
};
const random = randomNumbers(21);

function cut({ width, height }: { width: number; height: number }, part: number, [x, y]: [number, number]) {
  const [across, down] = [Math.round(width * (1 - part)), Math.round(height * (1 - part))];
  return { left: Math.round(x * (width - across)), top: Math.round(y * (height - down)), width: across, height: down };
}

function writeLine({ width, height }: { width: number; height: number }): Buffer {
  const size = Math.round(height * 0.07);
  return Buffer.from(
    `<svg width="${width}" height="${height}"><text x="50%" y="92%" font-size="${size}" font-family="sans-serif" ` +
      `font-weight="bold" fill="white" stroke="black" stroke-width="1" text-anchor="middle">look at this</text></svg>`,
  );
}

interface Hashed {
  file: string;
  original: Fingerprint;
  copies: Record<string, Fingerprint>;
}

async function hashFile(file: string): Promise<Hashed> {
  const bytes = await loadImage(path.join(folder, file));
  const { data, info } = await sharp(bytes).autoOrient().removeAlpha().png().toBuffer({ resolveWithObject: true });
  const copies: Record<string, Fingerprint> = {};
  for (const [name, change] of Object.entries(changes)) {
    const image = change(sharp(data), info);
    const encoded = name.startsWith('JPEG') || name.startsWith('WebP') ? image : image.jpeg({ quality: 85 });
    copies[name] = (await inspectImage(await encoded.toBuffer(), file)).fingerprint;
  }
  return { file, original: (await inspectImage(bytes, file)).fingerprint, copies };
}

const files = readFileSync(index, 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { file: string }).file)
  .filter((_, at) => at % every === from);
const hashed: Hashed[] = [];
for (const file of files) hashed.push(await hashFile(file));
const [chosen, held] = [0, 1].map((half) => hashed.filter((_, at) => at % 2 === half)) as [Hashed[], Hashed[]];

const distances = [31, 40, 48, 56];
const way = {
  whole: (fingerprint: Fingerprint): Fingerprint => ({ ...fingerprint, crops: [] }),
  cropped: (fingerprint: Fingerprint) => fingerprint,
};
for (const [name, view] of Object.entries(way)) {
  const nearest = listStrangers(chosen, view);
  console.log(
    `\n${name}: nearest strangers in the first half: ${nearest
      .slice(0, 8)
      .map(({ distance }) => distance)
      .join(', ')}`,
  );
  const strangers = listStrangers(held, view);
  for (const distance of distances) {
    const wrong = (pairs: readonly { distance: number }[]) => pairs.filter((pair) => pair.distance <= distance).length;
    console.log(
      `distance ${distance}: strangers matched in the first half ${wrong(nearest)}, in the second ${share(wrong(strangers), strangers.length)}`,
    );
  }
  for (const change of Object.keys(changes)) {
    const found = held.map(
      ({ original, copies }) => matchFingerprints(view(original), view(copies[change]!), 256)?.distance ?? 256,
    );
    console.log(
      `  ${change}: ` +
        distances.map((most) => share(found.filter((distance) => distance <= most).length, found.length)).join('  '),
    );
  }
}
console.log(`quality below 50: ${hashed.filter(({ original }) => original.quality < 50).length} of ${hashed.length}`);

function listStrangers(of: readonly Hashed[], view: (fingerprint: Fingerprint) => Fingerprint) {
  return of
    .flatMap((one, at) =>
      of.slice(at + 1).map((other) => ({
        distance: matchFingerprints(view(one.original), view(other.original), 256)?.distance ?? 256,
        files: [one.file, other.file],
      })),
    )
    .toSorted((a, b) => a.distance - b.distance);
}

function share(count: number, of: number): string {
  const [low, high] = wilsonInterval(count, of)!;
  return `${count} of ${of} (${low.toFixed(4)}–${high.toFixed(4)})`;
}

function timeSearch(): void {
  const pick = randomNumbers(1);
  const known = Array.from({ length: scale(100_000, 1_000) }, () =>
    Array.from({ length: 8 }, () =>
      Math.floor(pick() * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join(''),
  );
  const search = indexHashes(known);
  const times = Array.from({ length: 100 }, (_, at) => {
    const started = performance.now();
    search(known[at]!, 31);
    return performance.now() - started;
  }).toSorted((a, b) => a - b);
  console.log(
    `${known.length} hashes are searched in ${times[50]!.toFixed(2)} ms at the median, ${times[95]!.toFixed(2)} ms at the 95th per cent`,
  );
  if (hashDistance(known[0]!, known[1]!) < 64) throw new Error('the hashes are not random');
}
