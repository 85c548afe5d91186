import { expect, test } from 'vitest';
import { expectAccessible, picture, useConsole } from './support/console.ts';

const stage = useConsole();

test('the evidence of a case is downloaded from its page, and checked on the page beside the console', async () => {
  const judged = await stage.server.call('/api/moderations', { json: { text: 'How do I kill a process on Linux?' } });
  const { id } = (await judged.json()) as { id: string };
  const page = await stage.visit(`/cases/${id}`);
  await page.getByRole('tab', { name: 'Record' }).click();
  const link = page.getByRole('link', { name: 'Evidence' });
  await link.waitFor();
  await expectAccessible(page);
  await picture(page, 'case-record');
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe(`${id}.agon.zip`);
  const file = await download.path();

  const verifier = await stage.visit('/verifier.html');
  await verifier.setInputFiles('#bundle', file);
  await verifier.waitForSelector('#result h2.valid');
  expect(await verifier.textContent('#result')).toContain(id);
});
