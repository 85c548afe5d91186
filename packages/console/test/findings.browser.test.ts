import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ingestDocument } from '@agonhq/documents';
import { margin, report } from '@agonhq/test/support/corrected-report.ts';
import { expectGoodLooks, phone, picture, useConsole } from './support/console.ts';

/* An analyst sorts, searches, corrects, words and exports the findings, and sees each number beside the page. */

const stage = useConsole({});

const regions = `
Europe and Asia together made up 61 % of sales in 2024. Sales in Europe were the highest of all regions in 2024.

| Sales | 2024 | 2023 |
|---|---|---|
| Europe | 52 | 40 |
| Asia | 20 | 19 |
| America | 28 | 29 |
| Total | 100 | 88 |

| Employees | 2024 | 2023 |
|---|---|---|
| Ships | 36 | 30 |
| Yard | 61 | 60 |
| Office | 20 | 18 |
| Total | 127 | 108 |
`;

async function analyse(): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([report + regions]), 'report.md');
  return ((await (await stage.server.call('/api/jobs/documents/cases', { body: form })).json()) as { id: string }).id;
}
const rows = (page: Page) => page.getByRole('table', { name: 'Findings' }).locator('[data-finding]');
const listed = (page: Page) => rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-finding')));

async function exported(page: Page, format: string): Promise<Uint8Array> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('group', { name: 'Export what is shown' }).getByRole('link', { name: format }).click(),
  ]);
  return readFile(await download.path());
}

test('findings are sorted, searched, edited and exported as they are shown', async () => {
  const id = await analyse();
  const page = await stage.visit(`/documents/${id}?part=findings`);
  await rows(page).first().waitFor();
  const before = await listed(page);
  expect(before.length).toBeGreaterThanOrEqual(5);
  expect(
    before.some((one) => one?.startsWith('number-')),
    'numbers that no claim states',
  ).toBe(true);
  await expectGoodLooks(page, 'findings');

  const confidence = page.getByRole('columnheader', { name: 'Confidence' });
  await confidence.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/sort=confidence/);
  expect(await confidence.getAttribute('aria-sort')).toBe('ascending');
  const ascending = await listed(page);
  expect(ascending).not.toEqual(before);
  await page.keyboard.press('Enter');
  await page.waitForURL(/sort=-confidence/);
  expect(await confidence.getAttribute('aria-sort')).toBe('descending');

  await page.getByRole('button', { name: /^Contradicted/ }).click();
  await page.waitForURL(/show=contradicted/);
  await page.getByLabel('Search findings').fill('gross margin');
  await page.waitForURL(/search=gross/);
  await expect.poll(() => listed(page)).toEqual(['claim-02']);

  await page.getByRole('button', { name: margin }).click();
  await page.waitForURL(/finding=claim-02/);
  await page.getByLabel('In your own words').fill('=The margin is 41 %, not 45 %.');
  await page.getByLabel('Note', { exact: true }).fill('Ask the <b>auditor</b>.');
  await page.getByLabel('Your name').fill('Ana Silva');
  await page.getByRole('button', { name: 'Keep for the report' }).click();
  await page.getByText('Last edited by Ana Silva').waitFor();
  await page.getByRole('button', { name: 'Correct this verdict' }).click();
  await page.getByText('Supported', { exact: true }).click();
  await page.getByLabel('Why').fill('Stated before freight.');
  await page.getByRole('button', { name: 'Record correction' }).click();
  await page.getByText('where the machine said contradicted').waitFor();

  await page.keyboard.press('Escape');
  const row = rows(page).first();
  await row.getByText('Ana Silva: =The margin is 41 %, not 45 %.').waitFor();
  await row.getByText('Note by Ana Silva: Ask the <b>auditor</b>.').waitFor();
  await row.getByText('says Ana Silva').waitFor();
  await row.getByRole('button', { name: margin }).waitFor();
  await picture(page, 'findings-edited');
  const csv = new TextDecoder().decode(await exported(page, 'CSV'));
  expect(csv, 'only what is shown').not.toContain('Europe');
  expect(csv).toContain(`'=The margin is 41 %, not 45 %.`);
  expect(csv).toContain('Contradicted');
  expect(csv, 'the words of the machine stay').toContain(margin);
  const sheet = await ingestDocument(await exported(page, 'XLSX'), 'findings.xlsx', { readImageText: null });
  expect(sheet.text).toContain('Ask the <b>auditor</b>.');

  await row.getByRole('button', { name: margin }).click();
  await page.getByLabel('Leave out of exports').check();
  await page.getByRole('button', { name: 'Keep for the report' }).click();
  await page.getByRole('button', { name: 'All findings' }).click();
  await page.getByText('Left out of exports', { exact: true }).waitFor();
  expect(await page.getByRole('group', { name: 'Export what is shown' }).count(), 'nothing is left to export').toBe(0);
  const whole = await (await stage.server.call(`/api/cases/${id}/report?format=csv&sort=-confidence`)).text();
  expect(whole).not.toContain(margin);
  expect(await stage.server.ledger.findings.listEdits(id)).toMatchObject([
    { finding: 'claim-02', note: 'Ask the <b>auditor</b>.', leftOut: true, by: 'Ana Silva' },
  ]);
});

test('an expression stands beside the page, and each of its values leads to its cell', async () => {
  const id = await analyse();
  const page = await stage.visit(`/documents/${id}?part=findings&finding=claim-02`);
  const details = page.locator('article[data-finding="claim-02"]');
  const expression = details.locator('[data-expression]').first();
  await expression.waitFor();
  expect(await expression.textContent()).toBe('Gross profit, FY2024 ÷ Revenue, FY2024 = 45 %');
  const steps = details.getByRole('list', { name: 'Arithmetic' }).first().getByRole('listitem');
  expect(await steps.allTextContents()).toEqual([
    'With the values1886 / 4600',
    'comes to41 %',
    'The document states45 %',
    'a difference of4 percentage points',
  ]);
  await expression.getByRole('button', { name: 'Gross profit' }).click();
  await page.waitForURL(/cite=\d/);
  const value = details.getByRole('list', { name: 'Values' }).first().getByRole('button').first();
  expect(await value.getAttribute('aria-current')).toBe('true');
  expect(await value.textContent()).toContain('1886');
  await page.locator('[data-mark][data-active]').filter({ hasText: '1886' }).waitFor();
  await expectGoodLooks(page, 'finding-expression');

  await page.keyboard.press('j');
  await page.waitForURL((url) => url.searchParams.get('finding') !== 'claim-02');
});

test('on a phone the page and the expression stand behind each other', async () => {
  const id = await analyse();
  const page = await stage.visit(`/documents/${id}?part=findings&finding=claim-02`, phone);
  await page.locator('[data-expression]').first().getByRole('button', { name: 'Gross profit' }).click();
  await page.locator('[data-mark][data-active]').filter({ hasText: '1886' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
  await picture(page, 'finding-phone');
});
