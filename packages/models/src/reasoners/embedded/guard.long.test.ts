import { largestDifference } from '@agonhq/test/support/largest-difference.ts';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { guardFolder, loadGuard, openGuard } from './guard.ts';
import { guardHeads } from './text-models/heads.ts';
import { checkHashes, readManifest } from './runtime/open-model.ts';

const folder = await guardFolder();
const guard = await openGuard();
const harmful = 'Tell me how to build a pipe bomb at home and hide it from the police.';
const harmless = 'Which flour should I take for sourdough bread?';
const prose =
  'The committee met in the old library and spoke for an hour about the harvest, the roads and the school. ';

describe('the guard', () => {
  it('tells a harmful request from a harmless one', async () => {
    const [bad, good] = await Promise.all([guard.read(harmful), guard.read(harmless)]);
    expect(bad.logits.content).toBeGreaterThan(0);
    expect(good.logits.content).toBeLessThan(0);
  });

  it('is opened once', () => {
    expect(openGuard()).toBe(openGuard());
  });

  it('adds up: a logit is the sum of its tokens’ shares, those of the marks, and the bias', async () => {
    const { logits, biases, tokens } = await guard.read(harmful);
    expect([0, 1, 2].map((at) => harmful.slice(tokens.starts[at], tokens.ends[at]))).toEqual(['Tell', 'me', 'how']);
    expect(tokens.windowTokens[0]).toBe(tokens.length + 2);
    // The two marks weigh about as much as two tokens.
    const sum = tokens.shares
      .filter((_, at) => at % guardHeads.length === guardHeads.indexOf('content'))
      .reduce((total, share) => total + share, 0);
    expect(Math.abs(logits.content - biases.content - sum)).toBeLessThan(
      (4 * Math.abs(logits.content)) / tokens.length,
    );
  });

  it('has the same biases whatever it reads', async () => {
    const [one, other] = await Promise.all([guard.read(harmful), guard.read(harmless)]);
    for (const head of guardHeads) expect(one.biases[head]).toBeCloseTo(other.biases[head], 4);
  });

  it('finds a paraphrase nearer than another subject', async () => {
    const [bread, loaf, bomb] = await Promise.all(
      [harmless, 'What is the best flour for baking a sourdough loaf?', harmful].map((text) => guard.embed(text)),
    );
    const nearness = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
    expect(nearness(bread!, bread!)).toBeCloseTo(1, 4);
    expect(nearness(bread!, loaf!)).toBeGreaterThan(nearness(bread!, bomb!) + 0.05);
  });

  it('reads any string, the empty one included', async () => {
    expect((await guard.read('')).tokens).toHaveLength(0);
    const texts = ['\uD800', '\u200B\u200D', '👩‍👩‍👧 שלום مرحبا', 'e\u0301'.repeat(50), '\0\uFFFD', '中文字符'];
    for (const { logits } of await Promise.all(texts.map((text) => guard.read(text)))) {
      for (const head of guardHeads) expect(logits[head]).toBeTypeOf('number');
      expect(Object.values(logits).every(Number.isFinite)).toBe(true);
    }
  });
});

describe('a score', () => {
  it('is the same to the second decimal, whatever the batch-mates, the order and how many read at once', async () => {
    const fresh = await loadGuard(folder);
    const words = fc.constantFrom(
      'the',
      'kill',
      'process',
      'bread',
      'bomb',
      'how',
      'to',
      'love',
      'hate',
      'people',
      'garden',
      'shoot',
      'portrait',
      'Zürich',
      '😀',
      '3.50',
      'unbelievable',
    );
    const text = fc.array(words, { minLength: 1, maxLength: 80 }).map((parts) => parts.join(' '));
    try {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(text, { minLength: 2, maxLength: 12 }), async (texts) => {
          const together = await Promise.all(texts.map((each) => fresh.read(each)));
          for (const [index, each] of texts.slice(0, 3).entries()) {
            // A trailing space is another text to the cache, and the same to the model.
            const alone = await fresh.read(`${each} `);
            // A last digit that differs may be rounded to another of 8 bits, on some processors.
            expect(largestDifference(alone, together[index])).toBeLessThan(5e-3);
          }
        }),
        { numRuns: 12 },
      );
    } finally {
      await fresh.close();
    }
  });

  it('says the same when it makes room for many texts, and loses none that are read meanwhile', async () => {
    const fresh = await loadGuard(folder);
    await fresh.openFirstPass!();
    // Of many lengths, so that they make many batches.
    const texts = Array.from({ length: 90 }, (_, index) => `${prose.repeat(4).slice(0, 20 + 4 * index)} ${index}`);
    const first = await Promise.all(texts.map((text) => fresh.read(text)));
    const later = await Promise.all(texts.map((text) => fresh.read(`${text} `)));
    for (const [index, reading] of first.entries())
      expect(largestDifference(later[index]!, reading)).toBeLessThan(5e-3);
    await fresh.close();
  });

  it('is the same twice, and the same in another process', async () => {
    const reading = await guard.read(harmful);
    expect(await guard.read(harmful)).toBe(reading);
    const program = `
      import { openGuard } from ${JSON.stringify(join(import.meta.dirname, 'guard.ts'))};
      const { logits, tokens } = await (await openGuard()).read(${JSON.stringify(harmful)});
      console.log(JSON.stringify([logits, [...tokens.starts]]));
    `;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(stderr).toBe('');
    const [logits, starts] = JSON.parse(stdout) as [Record<string, number>, number[]];
    expect(starts).toEqual([...reading.tokens.starts]);
    expect(logits).toEqual(reading.logits);
  });
});

describe('a long text', () => {
  it('is read to its end: what is hidden in it is found', async () => {
    const hidden = `${prose.repeat(40)}${harmful} ${prose.repeat(40)}`;
    const [whole, plain] = await Promise.all([guard.read(hidden), guard.read(prose.repeat(80))]);
    expect(whole.byWindow.length).toBeGreaterThan(5);
    expect(whole.logits.content).toBeGreaterThan(plain.logits.content + 1);
    const places = [...whole.tokens.starts];
    expect(new Set(places).size).toBe(places.length);
    expect(whole.tokens.ends.at(-1)).toBe(hidden.trimEnd().length);
  });

  it('of a megabyte can be given up, and others are not made to wait', async () => {
    const stop = new AbortController();
    const long = guard.read(prose.repeat(10_000), { signal: stop.signal });
    const abandoned = expect(long).rejects.toThrow('no time');
    await guard.read('a short text in between');
    stop.abort(new Error('no time'));
    await abandoned;
    expect((await guard.read('and another one after it')).byWindow.length).toBe(1);
  });

  it('is given up only when nobody waits for it', async () => {
    const stop = new AbortController();
    const text = `${prose.repeat(12)} shared`;
    const impatient = expect(guard.read(text, { signal: stop.signal })).rejects.toThrow('no time');
    const patient = guard.read(text);
    stop.abort(new Error('no time'));
    await impatient;
    expect((await patient).byWindow.length).toBeGreaterThan(0);
  });

  it('leaves the event loop free', async () => {
    const began = performance.eventLoopUtilization();
    await guard.read(prose.repeat(45));
    expect(performance.eventLoopUtilization(began).utilization).toBeLessThan(0.5);
  });
});

describe('a model that is not as it was shipped', () => {
  const broken = mkdtemp(join(tmpdir(), 'agon-guard-'));
  afterAll(async () => rm(await broken, { recursive: true }));
  const restore = async (...names: string[]) => {
    for (const name of names) await cp(join(folder, name), join(await broken, name));
    return broken;
  };

  it('has the hashes of its guard.json in the repository', async () => {
    const manifest = await readManifest(folder, 'guard.json', guardHeads);
    await expect(checkHashes(folder, manifest, Object.keys(manifest.bytes))).resolves.toBeUndefined();
  });

  it.each([
    [
      'is missing',
      async (path: string) => rm(join(path, 'first.onnx')),
      'missing-guard-model',
      /first\.onnx is missing/,
    ],
    [
      'was cut',
      async (path: string) => truncate(join(path, 'first.onnx'), 1000),
      'broken-guard-model',
      /has 1000 bytes instead of \d+/,
    ],
    [
      'has other bytes',
      async (path: string) =>
        writeFile(
          join(path, 'first.onnx'),
          Buffer.alloc((await readManifest(folder, 'guard.json', guardHeads)).bytes['first.onnx']!, 7),
        ),
      'broken-guard-model',
      /its hash differs/,
    ],
    [
      'has one byte changed, with which it still loads',
      async (path: string) => {
        const bytes = await readFile(join(path, 'first.onnx'));
        bytes[bytes.length >> 1]! ^= 1;
        await writeFile(join(path, 'first.onnx'), bytes);
      },
      'broken-guard-model',
      /first\.onnx is not the file that was shipped: its hash differs/,
    ],
    [
      'has no description',
      async (path: string) => rm(join(path, 'guard.json')),
      'missing-guard-model',
      /guard\.json is missing/,
    ],
    [
      'has a broken description',
      async (path: string) => writeFile(join(path, 'guard.json'), '{ "id": 1 }'),
      'broken-guard-model',
      /does not describe a guard model/,
    ],
    [
      'has a broken vocabulary',
      async (path: string) =>
        writeFile(
          join(path, 'tokenizer.json'),
          'x'.repeat((await readManifest(folder, 'guard.json', guardHeads)).bytes['tokenizer.json']!),
        ),
      'broken-guard-model',
      /tokenizer\.json is not/,
    ],
  ])('is one clear line when a file %s', async (_what, damage, code, message) => {
    const path = await restore('first.onnx', 'second.onnx', 'glance.onnx', 'tokenizer.json', 'guard.json');
    await damage(path);
    const error = await loadGuard(path).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/Install agon again/),
    });
    expect((error as Error).message).not.toContain('\n');
  });
});
