import { expect, test } from 'vitest';
import mergeJob from '../../examples/own-job/merge-job.ts';
import { addJob } from '../../src/jobs/index.ts';
import { runningServer } from '../../test/support/running-server.ts';
import { expectGoodLooks, useConsole } from './support/console.ts';

/* A job that is not Agon's own: the console makes its form from its input, and shows its cases. */

const ui = useConsole({
  start: () => {
    addJob(mergeJob);
    return runningServer();
  },
});

const unready = '+const password = "hunter2"; // TODO: read it from the environment';

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
  const report = await page.request.get(
    (await page.getByRole('link', { name: 'Report', exact: true }).getAttribute('href'))!.replace(/^/, ui.server.url),
  );
  expect([report.status(), await report.text()]).toEqual([200, expect.stringContaining('hunter2')]);
});

test('its cases are listed and replayed as those of every job', async () => {
  await ui.server.call('/api/jobs/merge/cases', { json: { title: 'Greet', diff: '+export const greet = 1;' } });
  const page = await ui.visit('/cases?job=merge');
  await page.getByRole('listitem').getByText('Greet').first().click();
  await page.getByRole('region', { name: 'Verdict' }).getByRole('heading', { name: 'Merge' }).waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByLabel('Change', { exact: true }).selectOption('nothing');
  await page.getByRole('button', { name: 'Start replay' }).click();
  await page.getByText('The verdict stands').waitFor();
});
