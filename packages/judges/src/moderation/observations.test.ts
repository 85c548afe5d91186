import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { mediaFile } from '@agonhq/test/support/media.ts';
import { describeWithPrograms } from '@agonhq/test/support/programs.ts';
import { createAgon } from '@agonhq/core/app';
import type { Content } from './content.ts';
import { moderationJob } from './job.ts';
import type { ObservationsSetting } from './settings.ts';

/* --observations: whether seats that are LLMs get what the embedded image models see, beside what a model describes. */

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const picture = async () => ({
  data: new Uint8Array(
    await sharp({ create: { width: 320, height: 240, channels: 3, background: '#a0703c' } })
      .png()
      .toBuffer(),
  ),
});
const film = async () => ({ data: new Uint8Array(await readFile(mediaFile('pattern.mp4'))) });

async function judge(observations: ObservationsSetting, content: Content) {
  const provider = await startFakePanel();
  closers.push(provider.close);
  const settings = panelSettings(provider);
  const agon = await createAgon(
    {
      ...settings,
      ledger: false,
      moderation: { observations, ocr: false, rounds: 1, frames: 1, transcription: 'none' },
    },
    { environment: {}, secret: 's' },
  );
  closers.push(() => agon.close());
  const trial = agon.judge(moderationJob, content);
  for (let next = await trial.next(); ; next = await trial.next()) {
    if (!next.done) continue;
    const prompts = provider.requests.map(({ prompt }) => prompt).join('\n');
    return { sources: next.value.sources.map(({ id }) => id), prompts };
  }
}

describe('of an image that a model describes', () =>
  watchHints('image-1', async () => ({ images: [await picture()] })));
describeWithPrograms('of a film that a model describes', () =>
  watchHints('video-1/frame-1', async () => ({ video: [await film()] })),
);

function watchHints(id: string, content: () => Promise<Content>): void {
  test(
    'the image models say nothing by default, nor where they are told to stay out',
    { timeout: 60_000 },
    async () => {
      for (const observations of ['auto', 'never'] as const) {
        const { sources, prompts } = await judge(observations, await content());
        expect(sources).toContain(`${id}/description`);
        expect(sources).not.toContain(`${id}/objects`);
        expect(prompts).not.toContain(`${id}/nudity`);
      }
    },
  );

  test('the seats get what the image models see as hints where that is asked for', { timeout: 120_000 }, async () => {
    const { sources, prompts } = await judge('always', await content());
    expect(sources).toEqual(expect.arrayContaining([`${id}/description`, `${id}/objects`, `${id}/nudity`]));
    expect(prompts).toContain(`${id}/objects`);
    expect(prompts).toContain(`${id}/nudity`);
  });
}
