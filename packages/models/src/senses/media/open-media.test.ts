import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { mediaFile } from '@agonhq/test/support/media.ts';
import { describeWithPrograms, testWithPrograms } from '@agonhq/test/support/programs.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { MediaLimits } from '@agonhq/judges/job/job-kit';
import { openMedia } from '../index.ts';
import { keepMost } from './open-media.ts';

const limits: MediaLimits = {
  ffmpeg: 'ffmpeg',
  bytes: 10_000_000,
  seconds: 60,
  whenLonger: 'refuse',
  frames: 6,
  interval: 5,
};

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!AgonError.is(error)) throw new Error(`expected an AgonError, not ${String(error)}`);
  expect(error.message).not.toContain('\n');
  expect(error.hint).not.toBe('');
  return `${error.code}: ${error.message}`;
}

const load = (name: string) => readFile(mediaFile(name));

describeWithPrograms('sound', () => {
  test.each(['wav', 'mp3', 'm4a', 'ogg', 'flac'])('is decoded from %s', async (extension) => {
    const bytes = await load(`good-morning.${extension}`);
    const { sound, seconds, gaps, frames } = await openMedia(bytes, `voice.${extension}`, 'audio', limits);
    expect(sound).toHaveLength(1);
    expect(sound[0]!.samples.length / 16_000).toBeCloseTo(seconds, 0);
    expect([gaps, frames]).toEqual([[], []]);
  });

  test('of a film is taken alone where it is asked for alone', async () => {
    const { sound, frames } = await openMedia(await load('greeting.mp4'), 'clip.mp4', 'audio', limits);
    expect([sound.length, frames.length]).toEqual([1, 0]);
  });

  test('that is cut short is taken as far as it goes, and the gap is told', async () => {
    const cut = (await load('threat.mp3')).subarray(0, 15_000);
    const { sound, gaps } = await openMedia(cut, 'cut.mp3', 'audio', limits);
    expect(sound[0]!.samples.length).toBeGreaterThan(16_000);
    expect(gaps).toEqual([expect.stringContaining('cut short')]);
  });
});

describeWithPrograms('a film', () => {
  test.each(['mp4', 'mov', 'webm'])('in %s is seen where a scene begins', async (extension) => {
    const film = await load(`scenes.${extension}`);
    const { frames, seconds, sound } = await openMedia(film, `clip.${extension}`, 'video', limits);
    expect(frames.map(({ second }) => Math.round(second))).toEqual([0, 2, 4]);
    expect(Math.round(seconds)).toBe(6);
    expect(sound).toEqual([]);
    expect([...frames[0]!.image.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  });

  test('in which nothing changes is seen at intervals', async () => {
    const { frames } = await openMedia(await load('red.mp4'), 'clip.mp4', 'video', { ...limits, interval: 2 });
    expect(frames.map(({ second }) => Math.round(second))).toEqual([0, 2, 4, 6]);
  });

  test('that is too long is refused, or sampled over its whole length where that is set', async () => {
    const film = await load('threat.mp4');
    const short = { ...limits, seconds: 4, frames: 3 };
    expect(await refusal(openMedia(film, 'clip.mp4', 'video', short))).toMatch(/media-too-long: clip.mp4 lasts 6 s/);
    const { frames, gaps, seconds } = await openMedia(film, 'clip.mp4', 'video', { ...short, whenLonger: 'sample' });
    expect(frames.map(({ second }) => second)).toEqual([1, 3, 5]);
    expect(Math.round(seconds)).toBe(6);
    expect(gaps).toHaveLength(2);
  });
});

test('a film that flickers keeps the strongest change of every stretch, so that no part crowds out another', () => {
  const flicker = Array.from({ length: 50 }, (_, index) => ({ second: index / 10, score: index === 7 ? 1 : 0.5 }));
  const kept = keepMost([...flicker, { second: 55, score: 0.1 }], 6, 60);
  expect(kept.map(({ second }) => second)).toEqual([0.7, 55]);
});

describe('what is no recording is refused in one line', () => {
  test.each([
    ['garbage', Buffer.from('no sound at all '.repeat(50)), 'unsupported-media'],
    ['an empty file', Buffer.alloc(0), 'empty-media'],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), 'unsupported-media'],
  ])('%s', async (_name, bytes, code) => {
    expect(await refusal(openMedia(bytes, 'voice.mp3', 'audio', limits))).toContain(code);
  });

  testWithPrograms('a header with nothing behind it, and a film whose end, with its index, is missing', async () => {
    const header = Buffer.concat([Buffer.from('RIFF$\0\0\0WAVE'), Buffer.alloc(60)]);
    expect(await refusal(openMedia(header, 'voice.wav', 'audio', limits))).toContain('corrupt-media');
    const film = (await load('pattern.mp4')).subarray(0, 2000);
    expect(await refusal(openMedia(film, 'cut.mp4', 'video', limits))).toContain('corrupt-media');
  });

  test('sound as a film', async () => {
    const voice = await load('good-morning.mp3');
    expect(await refusal(openMedia(voice, 'voice.mp3', 'video', limits))).toContain('not read as video');
  });

  testWithPrograms('a silent film as sound', async () => {
    expect(await refusal(openMedia(await load('red.mp4'), 'clip.mp4', 'audio', limits))).toContain('has no sound');
  });

  test('more bytes than the limit', async () => {
    expect(await refusal(openMedia(Buffer.alloc(20), 'a.wav', 'audio', { ...limits, bytes: 10 }))).toContain(
      'media-too-large',
    );
  });
});

test.each(['no-such-ffmpeg', '/nowhere/ffmpeg'])('without ffmpeg (%s) the error says how to get it', async (ffmpeg) => {
  const bytes = await load('good-morning.wav');
  const error: unknown = await openMedia(bytes, 'voice.wav', 'audio', { ...limits, ffmpeg }).catch((one) => one);
  expect(error).toMatchObject({ code: 'no-ffmpeg', hint: expect.stringContaining('apt-get install ffmpeg') });
  if (ffmpeg.includes('/')) expect(error).toMatchObject({ hint: expect.stringContaining(`It is not at ${ffmpeg}.`) });
});

test('who stops waiting stops the decoder', async () => {
  const bytes = await load('good-morning.wav');
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(openMedia(bytes, 'voice.wav', 'audio', limits, { signal })).rejects.toThrow('enough');
});
