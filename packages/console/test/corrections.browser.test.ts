import { expect, test } from 'vitest';
import { margin, report } from '@agonhq/test/support/corrected-report.ts';
import { expectGoodLooks, picture, useConsole } from './support/console.ts';

/* An analyst corrects the verdict on a claim beside it, and withdraws it. */

const stage = useConsole({});

test('the verdict on a claim is corrected on its page, shown as a person’s, and withdrawn', async () => {
  const form = new FormData();
  form.append('file', new Blob([report]), 'report.md');
  const { id } = (await (await stage.server.call('/api/jobs/documents/cases', { body: form })).json()) as {
    id: string;
  };
  const page = await stage.visit(`/documents/${id}`);
  const claim = page.locator('[data-claim]').filter({ hasText: margin });
  await claim.getByRole('button', { name: /Claim/ }).click();
  await claim.getByRole('button', { name: 'Correct this verdict' }).click();
  expect(await claim.getByRole('radio').count(), 'not the verdict that it has').toBe(5);
  await claim.getByText('Supported', { exact: true }).click();
  await claim.getByLabel('Why').fill('The margin is <b>stated</b> before freight.');
  await claim.getByLabel('Your name').fill('Ana Silva');
  expect(await page.evaluate('document.documentElement.scrollTop'), 'the page itself does not scroll').toBe(0);
  await expectGoodLooks(page, 'claim-correction-form');
  await claim.getByRole('button', { name: 'Record correction' }).click();

  await claim.getByText('Supported, says Ana Silva').waitFor();
  await claim.getByText('where the machine said contradicted').waitFor();
  await claim.getByText('The margin is <b>stated</b> before freight.').waitFor();
  await picture(page, 'claim-corrected');
  expect(await stage.server.ledger.corrections.listCorrections({ case: id, standing: true })).toMatchObject([
    { label: 'supported', verdict: 'contradicted', by: 'Ana Silva' },
  ]);

  const again = (await (await stage.server.call('/api/jobs/documents/cases', { body: form })).json()) as { id: string };
  const later = await stage.visit(`/documents/${again.id}`);
  const same = later.locator('[data-claim]').filter({ hasText: margin });
  await same.getByText('Supported, says Ana Silva').waitFor();
  await same.getByRole('button', { name: /Claim/ }).click();
  await same.getByText('Decided by the correction of a person, on the same claim and evidence').waitFor();

  await claim.getByRole('button', { name: 'Withdraw correction' }).click();
  await claim.getByRole('button', { name: 'Correct this verdict' }).waitFor();
  expect(await claim.getByText('says Ana Silva').count()).toBe(0);
});
