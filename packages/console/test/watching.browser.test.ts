import { expect, test } from 'vitest';
import { expectAccessible, expectGoodLooks, useConsole } from './support/console.ts';
import { defaultPolicy, writePolicy } from '@agonhq/engine/policy';
import { until } from '@agonhq/test/support/until.ts';

/* Watching: figures over time, alerts, and candidates in the shadow. */

const judge = async (server: { call: typeof stage.server.call }, text: string, context: object) =>
  (await (await server.call('/api/jobs/moderation/cases', { json: { text, context } })).json()) as { id: string };

const stage = useConsole({
  async seed(server) {
    for (let number = 0; number < 12; number += 1)
      await judge(server, `A short note about gardens, number ${number}.`, { language: 'en', channel: 'garden-forum' });
    for (let number = 0; number < 6; number += 1) {
      const text = `I will burn your house down tonight, number ${number}.`;
      const { id } = await judge(server, text, { language: 'en', channel: 'comments' });
      if (number < 4)
        await server.call(`/api/cases/${id}/feedback`, {
          json: { label: number === 0 ? 'safe' : 'unsafe', by: 'ada' },
        });
    }
    for (let number = 0; number < 5; number += 1)
      await judge(server, `Das ist ein schöner Garten, Nummer ${number}.`, { language: 'de', channel: 'garden-forum' });
  },
});

test('figures are drawn by group over time, each with a table, and a group leads to its cases', async () => {
  const page = await stage.visit('/watching?days=7&by=channel');
  await page.getByRole('heading', { name: 'By channel' }).waitFor();
  await page.locator('.recharts-surface').nth(5).waitFor({ timeout: 60_000 });
  await expectGoodLooks(page, 'watching');
  for (const name of ['Flagged', 'Risk', 'Overridden by people', 'Undecided', 'Cost'])
    await page.getByRole('button', { name: `${name}: show table` }).click();
  const flagged = page.getByRole('region', { name: 'Flagged over time' });
  await flagged.getByRole('cell', { name: '100' }).first().waitFor();
  await page.getByRole('region', { name: 'Overridden by people over time' }).getByText('25').first().waitFor();
  await expectAccessible(page);

  await page.getByLabel('Group by').selectOption('language');
  await page.getByRole('button', { name: 'de', exact: true }).click();
  expect(new URL(page.url()).searchParams.get('value')).toBe('de');
  await page.getByRole('button', { name: /Only de/ }).waitFor();
  await page.getByRole('region', { name: 'Figures by language' }).getByRole('link', { name: '5', exact: true }).click();
  await page.waitForURL(/\/cases\?.*language=de/);
  await page
    .getByText(/schöner Garten/)
    .first()
    .waitFor();
  expect(await page.getByText(/burn your house down/).count()).toBe(0);
});

test('a click on a point opens its cases', async () => {
  const page = await stage.visit('/watching?days=7');
  await page.locator('.recharts-surface').nth(5).waitFor({ timeout: 60_000 });
  await page.locator('.recharts-line-dot').first().hover({ force: true });
  await page.locator('.recharts-line-dot').first().click({ force: true });
  await page.waitForURL(/\/cases\?.*from=.*label=unsafe/);
  await page
    .getByText(/burn your house down/)
    .first()
    .waitFor();
});

test('where nothing was judged, that is said', async () => {
  const page = await stage.visit('/watching?job=evaluation');
  await page.getByRole('heading', { name: 'Nothing was judged in this period' }).waitFor();
  await expectAccessible(page);
});

test('a rule is made, its alert is raised, and somebody acknowledges it', async () => {
  const page = await stage.visit('/watching?tab=alerts');
  await page.getByRole('heading', { name: 'Nothing has drifted' }).waitFor();
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByLabel('Name').fill('Too much is flagged');
  await page.getByLabel('In each').selectOption('channel');
  await page.getByLabel('Alert when it').selectOption('bound');
  await page.getByLabel('Above').fill('0.5');
  await page.getByLabel('From so many cases').fill('5');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('region', { name: 'Rules' }).getByText('Too much is flagged').waitFor();
  await page.getByRole('button', { name: 'Check now' }).click();
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.getByText('comments').waitFor();
  await alerts.getByText('stands').waitFor();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByLabel('Note').fill('A raid from outside.');
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await alerts.getByText(/A raid from outside/).waitFor();
  await expectGoodLooks(page, 'watching-alerts');
});

test('a candidate judges in the shadow, is compared, opens side by side, and is put in force', async () => {
  const yaml = writePolicy(await defaultPolicy()).replace(/^version: .*$/m, 'version: "next"');
  await stage.server.call('/api/policies', { json: { yaml } });
  const page = await stage.visit('/watching?tab=shadow');
  await page.getByRole('heading', { name: 'No candidate judges' }).waitFor();
  await page.getByRole('button', { name: 'New candidate' }).click();
  await page.getByLabel('Name').fill('The next policy, stricter');
  await page.getByLabel('Policy').selectOption({ index: 1 });
  await page.getByLabel('Sensitivity').selectOption('high');
  await page.getByLabel('Share of the traffic, %').fill('100');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('No case was judged by both yet.').waitFor();

  for (const text of ['Somebody should teach that politician a lesson.', 'I could strangle him for that joke.'])
    await judge(stage.server, text, {});
  for (let number = 0; number < 6; number += 1) await judge(stage.server, `Another note on roses, ${number}.`, {});
  const { id } = (await stage.server.ledger.shadows.listShadows())[0]!;
  await until(async () => (await stage.server.ledger.shadows.listPairs(id, { limit: 20 })).rows.length === 8);
  await page.getByText(/of 8 cases/).waitFor();
  await page.getByLabel('Only where they differ').uncheck();
  await page
    .getByRole('region', { name: 'Cases judged by both' })
    .getByText(/strangle him/)
    .waitFor();
  await expectGoodLooks(page, 'watching-shadow');

  await page.getByRole('button', { name: 'Side by side' }).first().click();
  await page.getByRole('region', { name: 'Candidate', exact: true }).getByText(/next/).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'What to set' }).click();
  await page.getByText('sensitivity: high', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Put in force' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Put in force' }).click();
  await page.getByText('This policy is in force.').waitFor();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await page.getByText('ended', { exact: true }).waitFor();
});
