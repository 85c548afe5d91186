import { expect, test } from 'vitest';
import { expectAccessible, expectGoodLooks, useConsole } from './support/console.ts';

/* The overview: what happened over a time, in figures. */

const stage = useConsole();

const notes = [
  ...Array.from({ length: 14 }, (_, number) => `A short note about gardens, number ${number}.`),
  ...Array.from({ length: 6 }, (_, number) => `I will burn your house down tonight, number ${number}.`),
  'Somebody should teach that politician a lesson.',
  'I could strangle him for that joke.',
];

async function judgeNotes(): Promise<void> {
  await Promise.all(
    notes.map(async (text, place) => {
      const { id } = (await (await stage.server.call('/api/jobs/moderation/cases', { json: { text } })).json()) as {
        id: string;
      };
      const unsafe = text.includes('burn');
      for (const [by, said] of [
        ['ada', unsafe],
        ['bert', unsafe !== (place % 9 === 0)],
      ] as const)
        if (place % 2 === 0)
          await stage.server.call(`/api/cases/${id}/feedback`, { json: { label: said ? 'unsafe' : 'safe', by } });
    }),
  );
}

test('where nothing was judged, three samples are', async () => {
  const page = await stage.visit('/overview?days=7');
  await page.getByRole('heading', { name: 'Nothing was judged in this period' }).waitFor();
  await expectGoodLooks(page, 'overview-empty');
  await page.getByRole('button', { name: 'Judge three samples' }).click();
  await page.getByRole('heading', { name: 'Verdicts over time' }).waitFor();
});

test('verdicts, disagreement, calibration, cost, latency and agreement are drawn, and each has a table', async () => {
  await judgeNotes();
  const page = await stage.visit('/overview?days=30');
  await page.getByRole('img', { name: /^Calibration over \d+ cases; expected calibration error/ }).waitFor();
  await page.locator('.recharts-surface').nth(4).waitFor();
  await page.getByText(/Based on 11 cases decided by two or more of 2 people/).waitFor();
  await expectGoodLooks(page, 'overview');

  await page.getByRole('button', { name: 'Verdicts over time: show table' }).click();
  const table = page.getByRole('region', { name: 'Verdicts by day' });
  expect(await table.getByRole('row').count()).toBe(2);
  await page.getByRole('button', { name: 'Verdicts over time: show chart' }).waitFor();
  for (const name of ['Disagreement', 'Calibration', 'Latency', 'Cost'])
    await page.getByRole('button', { name: `${name}: show table` }).click();
  await page
    .getByRole('region', { name: 'Calibration' })
    .getByRole('cell', { name: /% to .*%/ })
    .first()
    .waitFor();
  await expectAccessible(page);
});

test('the time and the job stand in the address, and figures lead to their cases', async () => {
  const page = await stage.visit('/overview');
  await page.getByRole('heading', { name: 'Verdicts over time' }).waitFor();
  await page.getByLabel('Job').selectOption('evaluation');
  await page.getByRole('heading', { name: 'Nothing was judged in this period' }).waitFor();
  expect(new URL(page.url()).searchParams.get('job')).toBe('evaluation');
  await page.getByLabel('Job').selectOption('moderation');
  await page.getByLabel('Time', { exact: true }).selectOption('7');
  expect(new URL(page.url()).searchParams.get('days')).toBe('7');
  await page.getByRole('heading', { name: 'Waiting for review' }).waitFor();
  await page.getByText('Unsafe', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: /^\d+$/ }).first().click();
  await page.waitForURL(/\/cases\?.*label=unsafe/);
  await page
    .getByText(/burn your house down/)
    .first()
    .waitFor();
});
