import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { writeLetters } from '@agonhq/test/support/write-letters.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { closeImageModels, inspectImage, lookAtImage, readImageText } from './index.ts';

async function failure(work: Promise<unknown>): Promise<AgonError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!AgonError.is(error)) throw new Error(`expected an AgonError, not ${String(error)}`);
  expect(error.message).not.toContain('\n');
  return error;
}

describe('the text in an image is read', () => {
  afterAll(closeImageModels);
  const ocrOf = async (image: Sharp): Promise<Uint8Array> => image.png().toBuffer();

  it.each([
    ['black on white', {}],
    ['white on black', { ink: 'white', paper: 'black' }],
    ['faint', { ink: '#e4e4e4', paper: '#f6f6f6' }],
    ['small', { unit: 3.5 }],
  ])('%s', async (_name, style) => {
    const { text, confidence } = await readImageText(await ocrOf(writeLetters(['KILL THEM', 'ALL THE MEN'], style)));
    // Drawn small, a capital E is much like an e.
    expect(text.toUpperCase()).toBe('KILL THEM\nALL THE MEN');
    expect(confidence).toBeGreaterThan(0.6);
  });

  it('white on nothing, since transparent parts are given a ground', async () => {
    const bytes = await writeLetters(['KILL THEM'], { ink: 'white', paper: 'none' }).png().toBuffer();
    const { pixels } = await inspectImage(bytes, 'a.png');
    const { text } = await lookAtImage(pixels, { text: true, scene: false });
    expect(text?.text).toBe('KILL THEM');
    const box = text!.lines[0]!.box;
    expect(box.x + box.width).toBeLessThanOrEqual(1);
    expect(box.width).toBeGreaterThan(0.6);
  });

  it.each([15, 40, -25, 90, 180, 270])('turned by %i degrees', async (degrees) => {
    const turned = writeLetters(['KILL THEM', 'ALL THE MEN']).rotate(degrees, { background: 'white' });
    expect((await readImageText(await ocrOf(turned))).text).toBe('KILL THEM\nALL THE MEN');
  });

  it('each word at its place', async () => {
    const { words } = await readImageText(await ocrOf(writeLetters(['ALL THE MEN'])));
    expect(words.map(({ text, line }) => [text, line])).toEqual([
      ['ALL', 0],
      ['THE', 0],
      ['MEN', 0],
    ]);
    const ends = words.map(({ x, width }) => [x, x + width]);
    expect(ends[0]![1]).toBeLessThan(ends[1]![0]! + 12);
    expect(ends[1]![1]).toBeLessThan(ends[2]![0]! + 12);
  });

  it('a sign apart from its number belongs to it', async () => {
    const { text } = await readImageText(await ocrOf(writeLetters(['THE MEN AT % HATE', 'ALL THE MEN'], {})));
    expect(text).toBe('THE MEN AT % HATE\nALL THE MEN');
  });

  it('noise gives no words', async () => {
    const noise = sharp({
      create: {
        width: 80,
        height: 80,
        channels: 3,
        background: 'grey',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    expect(await readImageText(await ocrOf(noise))).toEqual({ text: '', confidence: 0, words: [], turned: 0 });
  });

  it('many at once', async () => {
    const image = await ocrOf(writeLetters(['HATE'], { unit: 4 }));
    const texts = await Promise.all(Array.from({ length: 3 }, () => readImageText(image)));
    expect(texts.map(({ text }) => text)).toEqual(Array(3).fill('HATE'));
  });

  it('until it is cancelled, before, while waiting and while reading, and reading goes on afterwards', async () => {
    const image = await ocrOf(writeLetters(['HATE'], { unit: 4 }));
    await expect(readImageText(image, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    const controller = new AbortController();
    const cancelled = Array.from({ length: 4 }, () => readImageText(image, { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 5);
    for (const outcome of await Promise.allSettled(cancelled))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    expect((await readImageText(image)).text).toBe('HATE');
  });

  it('or fails with one line when it is no image, and reading goes on, also after the tools were closed', async () => {
    expect((await failure(readImageText(Buffer.from('no image')))).code).toBe('ocr-failed');
    await closeImageModels();
    expect((await readImageText(await ocrOf(writeLetters(['HATE'], { unit: 4 })))).text).toBe('HATE');
  });
});

it.each([
  [1, 1],
  [3000, 2],
  [2, 3000],
])('odd shapes are looked at too: %i by %i', async (width, height) => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
  const { pixels } = await inspectImage(bytes, 'odd.png');
  const { text, scene } = await lookAtImage(pixels, { text: true, scene: true });
  expect(text).toMatchObject({ text: '', lines: [] });
  expect(scene!.description).toMatch(/^The (picture|drawing) shows /);
});

describe('a process', () => {
  const run = async (code: string): Promise<string> => {
    const script = code.replace('TOOLS', new URL('index.ts', import.meta.url).href);
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 20_000,
    });
    return stdout.trim();
  };

  it('that read one image ends by itself', async () => {
    const png = await writeLetters(['HATE'], { unit: 4 }).png().toBuffer();
    const output = await run(`
      import { inspectImage, lookAtImage } from 'TOOLS';
      const { pixels } = await inspectImage(Buffer.from('${png.toString('base64')}', 'base64'), 'a.png');
      console.log((await lookAtImage(pixels, { text: true, scene: false })).text.text);`);
    expect(output).toBe('HATE');
  });

  it('that imports the senses loads no library', async () => {
    const output = await run(`
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ resolve: (name, context, next) => { if (!/^(node:|file:|[.]|@agonhq\\/)/.test(name)) loaded.push(name); return next(name, context); } });
      await import('TOOLS');
      console.log(JSON.stringify(loaded));`);
    expect(output).toBe('[]');
  });
});
