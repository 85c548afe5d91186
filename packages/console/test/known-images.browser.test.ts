import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { drawPicture } from '@agonhq/test/support/draw-picture.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { inspectImage } from '@agonhq/models/senses';
import { expectGoodLooks, useConsole } from './support/console.ts';

/* The restricted queue, and what a case with a known image shows. */

let image: Buffer;
const stage = useConsole({
  async start() {
    image = await drawPicture(1).jpeg().toBuffer();
    const list = path.join(await mkdtemp(path.join(tmpdir(), 'agon-known-')), 'hotline.csv');
    const { pdq } = (await inspectImage(image, 'a')).fingerprint;
    await writeFile(list, `hash,label,source\n${pdq},category A,the hotline\n`);
    return runningServer({ knownImages: [list] });
  },
});

let id: string;
beforeAll(async () => {
  const sent = { id: 'post-7', text: 'Look what I found.', images: [{ data: image.toString('base64') }] };
  id = ((await (await stage.server.call('/api/jobs/moderation/cases', { json: sent })).json()) as { id: string }).id;
}, 60_000);

test('a known image is in the restricted queue, and is marked as reported there', async () => {
  const page = await stage.visit('/known-images');
  await page.getByText('hotline', { exact: true }).waitFor();
  await page.getByText('category A, from the hotline').waitFor();
  await expectGoodLooks(page, 'known-images');
  await page.getByRole('button', { name: 'Mark as reported' }).click();
  await page.getByText('reported', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Mark as reported' }).count()).toBe(0);
});

test('its case shows why there is no picture', async () => {
  const page = await stage.visit(`/cases/${id}`);
  await page.getByText('The image is withheld: it is on a list of known images').first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await expectGoodLooks(page, 'known-image-case');
});
