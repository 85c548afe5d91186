import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, test, type TestContext } from 'vitest';
import { findWhisperTiny, mediaFile, readSamples } from '@agonhq/test/support/media.ts';
import { chooseSpeechModel, closeSpeechModel, hear } from '../index.ts';
import { chooseToken } from './whisper.ts';
import { computeLogMel, melBands, melFrames } from './log-mel.ts';
import { readTokens } from './whisper-tokens.ts';
import { findLoop } from './whisper.ts';

afterAll(closeSpeechModel);

describe('Whisper', () => {
  /** Samples of a voice, and where Whisper lies; skips the test where it cannot be had. */
  async function prepare(recording: string, context: TestContext) {
    const folder = await findWhisperTiny();
    if (folder === null) return context.skip('whisper-tiny cannot be fetched here');
    const samples = readSamples(await readFile(mediaFile(recording)));
    return { samples, environment: { ...process.env, AGON_PARTS: folder } };
  }

  test('writes down what is said, and when', async (context) => {
    const { samples, environment } = await prepare('threat.wav', context);
    const { language, segments } = await hear(samples, 'whisper-tiny', { environment });
    expect(language).toBe('en');
    const heard = segments.map((segment) => segment.text).join(' ');
    expect(heard).toMatch(/i know where you live,? and tonight .+ come and kill you/i);
    expect(segments.at(-1)!.end).toBeLessThanOrEqual(samples.length / 16_000 + 0.1);
    for (const { start, end } of segments) expect(start).toBeLessThan(end);
  });

  test('hears nothing in silence, and begins anew after it', async (context) => {
    const { samples, environment } = await prepare('good-morning.wav', context);
    const quiet = new Float32Array(40 * 16_000);
    expect(await hear(quiet, 'whisper-tiny', { environment })).toEqual({ language: null, segments: [] });
    const late = new Float32Array(quiet.length + samples.length);
    late.set(samples, quiet.length);
    const { segments } = await hear(late, 'whisper-tiny', { environment });
    expect(segments[0]!.start).toBeGreaterThanOrEqual(30);
    expect(segments.map(({ text }) => text).join(' ')).toMatch(/good morning/i);
  });
});

test('without a part the error says how to add it', async () => {
  const environment = { AGON_PARTS: '/nowhere' };
  await expect(chooseSpeechModel(null, environment)).rejects.toMatchObject({
    code: 'missing-part',
    hint: expect.stringContaining('agon add whisper'),
  });
});

test('a tone is loudest in its own band', () => {
  const tone = Float32Array.from({ length: 16_000 }, (_, index) => Math.sin((2 * Math.PI * 1000 * index) / 16_000));
  const mel = computeLogMel(tone);
  expect(mel).toHaveLength(melBands * melFrames);
  const bands = Array.from({ length: melBands }, (_, band) => mel[band * melFrames + 50]!);
  // 1,000 Hz is the fifteenth of the forty-five mels up to 8,000 Hz.
  const loudest = bands.indexOf(Math.max(...bands));
  expect(loudest).toBeGreaterThanOrEqual(25);
  expect(loudest).toBeLessThanOrEqual(28);
  expect(mel[40 * melFrames + 2500]).toBeCloseTo(Math.max(...bands) - 2, 1);
});

describe('the signs of Whisper', () => {
  const config = {
    suppress_tokens: [3],
    begin_suppress_tokens: [2],
    decoder_start_token_id: 5,
    eos_token_id: 4,
    no_timestamps_token_id: 9,
    lang_to_id: { '<|en|>': 6 },
    task_to_id: { transcribe: 7 },
  };
  const tokens = readTokens(JSON.stringify({ a: 0, Ġb: 1, 'Ã¤': 2, c: 3 }), JSON.stringify(config));
  const likely = (token: number) => Float32Array.from({ length: 20 }, (_, index) => (index === token ? 9 : 0));

  test('are bytes of a text', () => expect(tokens.decode([0, 1, 2])).toBe('a bä'));

  test('begin with a time, and words stand between two times that never go back', () => {
    expect(chooseToken(likely(0), [], tokens).token).toBeGreaterThanOrEqual(10);
    expect(chooseToken(likely(12), [11], tokens).token).toBeLessThan(5);
    expect(chooseToken(likely(3), [11], tokens).token).not.toBe(3);
    expect(chooseToken(likely(10), [12, 0], tokens).token).not.toBe(10);
    const { token } = chooseToken(likely(0), [11, 0, 14], tokens);
    expect(token === 4 || token >= 14).toBe(true);
  });

  test('that repeat without end are a loop', () => {
    expect(findLoop([1, 2, 3, 1, 2, 3])).toBe(0);
    expect(findLoop([9, ...Array.from({ length: 5 }, () => [1, 2]).flat()])).toBe(2);
  });
});
