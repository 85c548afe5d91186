import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findWhisperTiny, mediaFile, writeWav } from '@agonhq/test/support/media.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { slowTest } from '@agonhq/test/support/slow.ts';
import { expectGoodLooks, useConsole } from './support/console.ts';

/* Sound and films: sent, judged, played from a moment; covered and muted until somebody asks. */

let speechModel: string | null;
const stage = useConsole({
  async start() {
    speechModel = await findWhisperTiny();
    // Where there is no speech model, the film is judged by its frames.
    const moderation = { ocr: false, frames: 2, ...(speechModel === null ? { transcription: 'none' } : {}) };
    return runningServer(
      { moderation, server: { bodyBytes: 3_000_000 } },
      speechModel === null ? {} : { environment: { AGON_PARTS: speechModel } },
    );
  },
});

interface Played {
  muted: boolean;
  paused: boolean;
  currentTime: number;
  filter: string;
}

const media = (page: Page) =>
  page.locator('video, audio').evaluate((element): Played => {
    const { muted, paused, currentTime } = element as never as Played;
    return { muted, paused, currentTime, filter: element.ownerDocument.defaultView!.getComputedStyle(element).filter };
  });

async function judgeFile(page: Page, file: string): Promise<void> {
  await page.getByLabel('Add images, sound or films').setInputFiles(file);
  await page.getByRole('list', { name: 'Files to be judged' }).getByText(path.basename(file)).waitFor();
}

slowTest('a film is sent, judged and played from its evidence, covered until asked', { timeout: 240_000 }, async () => {
  const page = await stage.visit('/');
  page.setDefaultTimeout(60_000);
  await judgeFile(page, mediaFile('threat.webm'));
  await expectGoodLooks(page, 'judge-film');
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await page.getByRole('link', { name: 'Open the case' }).click({ timeout: 200_000 });
  await page.getByRole('heading', { name: 'What was judged' }).waitFor();

  await expect.poll(async () => (await media(page)).filter).toMatch(/blur.*grayscale/);
  expect(await media(page)).toMatchObject({ muted: true, paused: true });
  for (const frame of await page.getByRole('img', { name: /Frame at .*blurred/ }).all())
    expect(await frame.evaluate((img) => img.ownerDocument.defaultView!.getComputedStyle(img).filter)).toMatch(/blur/);
  await expectGoodLooks(page, 'case-film');

  await page.getByRole('button', { name: 'Play video 1 from 0:03' }).last().click();
  await expect.poll(async () => (await media(page)).currentTime).toBeGreaterThan(2.9);
  expect((await media(page)).muted).toBe(true);
  if (speechModel !== null) {
    const said = page.getByRole('list', { name: 'What is said' });
    await said.getByText(/where you live/).waitFor();
    const quoted = page.getByRole('list', { name: 'Evidence', exact: false }).first();
    await quoted
      .getByRole('button', { name: /^Play video 1 from/ })
      .first()
      .click();
    await expect.poll(async () => (await media(page)).paused).toBe(false);
  }

  await page.getByRole('button', { name: 'Show the film' }).click();
  await page.getByRole('button', { name: 'Turn sound on' }).click();
  expect(await media(page)).toMatchObject({ muted: false, filter: 'none' });
  await expectGoodLooks(page, 'case-film-shown');
  // Of this viewing: whoever comes back is asked again.
  await page.reload();
  await expect.poll(async () => (await media(page)).filter).toMatch(/blur/);

  await page.getByRole('button', { name: 'Media covered' }).click();
  await expect.poll(async () => (await media(page)).filter).toBe('none');
  expect(await media(page)).toMatchObject({ muted: false, paused: true });
  await page.getByRole('button', { name: 'Media shown' }).click();
  await expect.poll(async () => (await media(page)).filter).toMatch(/blur/);
});

test('what the server would refuse is said before it is sent', async () => {
  const page = await stage.visit('/');
  await page
    .getByLabel('Add images, sound or films')
    .setInputFiles({ name: 'long.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(2_500_000) });
  await page
    .getByRole('alert')
    .getByText('1 file of 2.5 MB cannot be sent at once: this server takes 2.2 MB')
    .waitFor();
  await page.getByRole('button', { name: 'Remove long.wav' }).click();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a recording that cannot be judged is refused where it was chosen', async () => {
  stage.forgive(/422/);
  const page = await stage.visit('/');
  const bytes = Buffer.alloc(900_000, 'no film at all ');
  await page
    .getByLabel('Add images, sound or films')
    .setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer: bytes });
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await page.getByText('clip.webm is no recording that can be read.').waitFor();
  await page.getByRole('button', { name: 'Remove clip.webm' }).waitFor();
});

test('a reviewer plays sound by keyboard, muted until asked', async () => {
  // A file in which nobody speaks waits for a person.
  const data = writeWav(Array.from({ length: 32_000 }, () => 0)).toString('base64');
  const judged = await stage.server.call('/api/jobs/moderation/cases', {
    json: { audio: [{ data, name: 'voice.wav' }] },
  });
  const { id } = (await judged.json()) as { id: string };
  const page = await stage.visit(`/queue?case=${id}`);
  await page.getByLabel('Your name').fill('Ada');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Is this safe?' }).waitFor();
  await expect.poll(async () => media(page)).toMatchObject({ muted: true, paused: true });
  await page.keyboard.press('m');
  expect(await media(page)).toMatchObject({ muted: false });
  await expectGoodLooks(page, 'queue-sound');
});
