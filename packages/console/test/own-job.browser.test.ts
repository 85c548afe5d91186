import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { postJson, startServing } from '@agonhq/test/support/served.ts';
import { expectGoodLooks, useConsoleOf } from './support/console.ts';

/* `agon serve` with a job of its own in its settings: the console makes a form for it, and shows its cases. */

const ui = useConsoleOf(async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'agon-own-job-'));
  cpSync(path.join(import.meta.dirname, '../../../examples/own-job/merge-job.ts'), path.join(home, 'merge-job.ts'));
  writeFileSync(path.join(home, 'agon.config.yaml'), 'jobs: [./merge-job.ts]\n');
  const served = startServing(home);
  return {
    url: await served.url,
    async [Symbol.asyncDispose]() {
      await served.end();
      rmSync(home, { recursive: true, force: true });
    },
  };
});

const unready = '+const password = "hunter2"; // read it from the environment';

test('an input of it is judged on the Judge page, and its verdict stands on the page of the case', async () => {
  const page = await ui.visit('/');
  await page.getByRole('tab', { name: 'Merge' }).click();
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await page.getByRole('alert').getByText('Enter title.').waitFor();
  await page.getByLabel('Title').fill('Log in');
  await page.getByLabel('Description (optional)').waitFor();
  await page.getByLabel('Diff').fill(unready);
  await expectGoodLooks(page, 'own-job-form');
  await page.getByRole('button', { name: 'Judge', exact: true }).click();

  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByRole('heading', { name: 'Hold' }).waitFor();
  await page.getByRole('article', { name: 'Reviewer, round 1' }).waitFor();
  await page.getByRole('link', { name: 'Open the case' }).click();

  await page.waitForURL(/\/cases\/[^/]+$/);
  await verdict.getByRole('heading', { name: 'Hold' }).waitFor();
  await verdict.getByText('not ready').waitFor();
  await page.getByRole('region', { name: 'What was judged' }).getByText('hunter2').first().waitFor();
  await page.getByRole('tab', { name: 'Computed steps' }).click();
  await page.getByRole('heading', { name: 'adjudication' }).waitFor();
  await expectGoodLooks(page, 'own-job-case');
  await page.getByRole('tab', { name: 'Record' }).click();
  const report = await page.getByRole('link', { name: 'Report', exact: true }).getAttribute('href');
  await page.goto(`${ui.server.url}${report}`);
  await page.getByText('hunter2').first().waitFor();
  expect(await page.title()).toContain('Merge');
});

test('its cases are listed and replayed as those of every job', async () => {
  await postJson(`${ui.server.url}/api/jobs/merge/cases`, { title: 'Greet', diff: '+export const greet = 1;' });
  const page = await ui.visit('/cases?job=merge');
  await page.getByRole('listitem').getByText('Greet').first().click();
  await page.getByRole('region', { name: 'Verdict' }).getByRole('heading', { name: 'Merge' }).waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByLabel('Change', { exact: true }).selectOption('nothing');
  await page.getByRole('button', { name: 'Start replay' }).click();
  await page.getByText('The verdict stands').waitFor();
});
