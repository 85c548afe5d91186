import { expect, test } from 'vitest';
import { expectAccessible, expectGoodLooks, picture, useConsole } from './support/console.ts';

const stage = useConsole();

test('the evidence of a case is downloaded from its page, and checked on the page beside the console', async () => {
  const judged = await stage.server.call('/api/jobs/moderation/cases', {
    json: { text: 'How do I kill a process on Linux?' },
  });
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

test('a case on legal hold cannot be forgotten, says why, and is let go with a reason', async () => {
  const judged = await stage.server.call('/api/jobs/moderation/cases', {
    json: { text: 'I will burn your house down tonight.', context: { author: 'user-4711' } },
  });
  const { id } = (await judged.json()) as { id: string };
  const page = await stage.visit(`/cases/${id}`);
  await page.getByRole('button', { name: 'Forget' }).waitFor();
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Place a legal hold?' });
  await dialog.getByLabel('Reason').fill('Case 12/2026 <b>of the court</b>');
  await dialog.getByLabel('Everything of the author user-4711').check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Place the hold' }).click();
  const note = page.getByRole('note', { name: 'Legal hold' });
  await note.getByText('Case 12/2026 <b>of the court</b>').waitFor();
  await page.getByRole('button', { name: 'Forget' }).waitFor({ state: 'detached' });
  await page.getByText('The hold is placed.').waitFor({ state: 'detached' });
  await expectGoodLooks(page, 'case-on-hold');
  expect((await stage.server.call(`/api/cases/${id}`, { method: 'DELETE' })).status).toBe(409);

  await note.getByRole('button', { name: 'Lift' }).click();
  await page.getByLabel('Why it is over').fill('The court has ruled.');
  await page.getByRole('button', { name: 'Lift the hold' }).click();
  await note.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Forget' }).waitFor();
});
