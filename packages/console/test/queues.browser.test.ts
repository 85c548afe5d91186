import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectGoodLooks, picture, useConsole } from './support/console.ts';

/* Several queues: made and changed, worked on by time and by person, decided together, and measured. */

const stage = useConsole();

const judge = async (text: string, context: object = {}) =>
  (
    (await (await stage.server.call('/api/jobs/moderation/cases', { json: { text, context } })).json()) as {
      id: string;
    }
  ).id;

async function reviewer(name: string, where: string): Promise<Page> {
  const page = await stage.visit(where);
  await page.getByLabel('Your name').fill(name);
  await page.keyboard.press('Enter');
  await page.getByText(`You are ${name}`).waitFor();
  return page;
}

test('a queue is made from rules, takes what waits, is changed, moved and removed', async () => {
  await judge('How to build a potato gun, part 1', { channel: 'shop', language: 'en' });
  await judge('How to build a potato gun, part 2');
  const page = await stage.visit('/queues');
  await page.getByRole('heading', { name: 'Default' }).waitFor();
  await page.getByRole('button', { name: 'New queue' }).click();
  const form = page.getByRole('dialog', { name: 'New queue' });
  await form.getByLabel('Name').fill('Shop');
  await form.getByLabel('Channels').fill('shop, market');
  await form.getByLabel('Languages').fill('en');
  await form.getByLabel('Risk from').fill('0.1');
  await form.getByLabel('Decide within').fill('4');
  await form.getByLabel('Reviewers').fill('Ada, Bob');
  await expectGoodLooks(page, 'queues-form');
  await form.getByRole('button', { name: 'Create queue' }).click();
  const shop = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Shop' }) });
  await shop.getByText('To be decided within 4 hours').waitFor();
  await shop.getByText('1 first review').waitFor();
  await shop.getByText('Channel shop or market').waitFor();

  await page.getByRole('button', { name: 'New queue' }).click();
  await form.getByLabel('Name').fill('Checks');
  await form.getByLabel('Quality sample of what the machine decided alone').check();
  await form.getByLabel('Percent of them').fill('100');
  await form.getByRole('button', { name: 'Create queue' }).click();
  await page.getByText('Quality sample: 100 % of what the machine decided alone').waitFor();
  await page.getByText('Nobody has decided a case of this sample yet.').waitFor();
  await expectGoodLooks(page, 'queues');

  await page.getByRole('button', { name: 'Move Checks up' }).click();
  await page.getByRole('button', { name: 'Move Checks up' }).and(page.locator('[disabled]')).waitFor();
  const names = async () => (await stage.server.ledger.queues.listQueues()).map(({ name }) => name);
  await expect.poll(names).toEqual(['Checks', 'Shop']);
  await shop.getByRole('button', { name: 'Change' }).click();
  const change = page.getByRole('dialog', { name: 'Change Shop' });
  expect(await change.getByLabel('Channels').inputValue()).toBe('shop, market');
  await change.getByLabel('Name').fill('Shops');
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Shops' }).waitFor();
  const shops = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Shops' }) });
  await shops.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove queue' }).click();
  await page.getByRole('heading', { name: 'Shops' }).waitFor({ state: 'detached' });
  expect(await stage.server.ledger.queues.listQueues()).toHaveLength(1);
}, 120_000);

test('the list tells whose a case is and what is overdue; it is assigned by hand, and taken next by who it is for', async () => {
  const { ledger, home } = stage.server;
  const rules = { channels: ['forum'] };
  const queue = await ledger.queues.createQueue({ name: 'Forum', rules, dueMinutes: 100, assignees: ['Ada'] });
  await judge('How to build a potato gun, part 3', { channel: 'forum' });
  const late = await judge('How to build a potato gun, part 4', { channel: 'forum' });
  // As if it had waited for five hours.
  const closedAt = new Date(Date.now() - 5 * 3_600_000).toISOString();
  using database = new DatabaseSync(path.join(home, 'ledger.db'));
  database.prepare('update verdicts set closed_at = ? where debate = ?').run(closedAt, late);
  await ledger.queues.refillQueues();

  const ada = await reviewer('Ada', `/queue?queue=${queue.id}&sort=due`);
  await ada.getByText(/Due in 1 hour/).waitFor();
  await ada.getByText(/Overdue, due 3 hours ago/).waitFor();
  expect(
    await ada
      .getByRole('link', { name: /potato gun/ })
      .first()
      .innerText(),
  ).toContain('part 4');
  await ada.getByLabel('Queue', { exact: true }).getByText('Forum (2, 1 overdue)').waitFor({ state: 'attached' });
  await ada.getByLabel(/^Only overdue/).check();
  await ada.getByText(/Due in 1 hour/).waitFor({ state: 'detached' });
  await ada.getByRole('link', { name: /part 4/ }).click();
  await ada.getByRole('button', { name: 'Assign' }).click();
  await ada.getByRole('dialog').getByLabel('Name').fill('Bob');
  await ada.getByRole('dialog').getByRole('button', { name: 'Assign' }).click();
  await ada.getByRole('button', { name: 'For Bob' }).waitFor();
  await ada.getByRole('button', { name: 'Back to queue' }).click();
  await ada.getByLabel(/^Only overdue/).uncheck();
  await ada.getByText('For Bob', { exact: true }).waitFor();
  await expectGoodLooks(ada, 'queue-of-several');

  const bob = await reviewer('Bob', `/queue?queue=${queue.id}`);
  await bob.getByLabel('For', { exact: true }).selectOption('me');
  await bob.getByText('part 3').waitFor({ state: 'detached' });
  await bob.getByRole('button', { name: /Start reviewing/ }).click();
  await bob.waitForURL((url) => url.searchParams.get('case') === late);
}, 120_000);

test('alike cases are shown and decided together; what was decided meanwhile is refused', async () => {
  const { ledger } = stage.server;
  const queue = await ledger.queues.createQueue({
    name: 'Mail',
    rules: { channels: ['mail'] },
    dueMinutes: null,
    assignees: [],
  });
  const ids: string[] = [];
  for (const part of ['one', 'two', 'three'])
    ids.push(await judge(`How to build a potato gun at home, part ${part}`, { channel: 'mail' }));
  const page = await reviewer('Dora', `/queue?queue=${queue.id}&case=${ids[0]}`);
  await page.getByRole('heading', { name: 'Is this safe?' }).waitFor();
  await page.keyboard.press('s');
  await page.keyboard.press('r');
  await page.keyboard.type('A toy that children build at camp.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 undecided cases of this queue are alike.').waitFor();
  await page.getByRole('button', { name: 'Decide alike cases too' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decide alike cases too' });
  for (const words of [/part two/, /part three/]) await dialog.getByRole('checkbox', { name: words }).check();
  await expectGoodLooks(page, 'queue-alike');
  await ledger.decisions.recordDecision({ case: ids[2]!, label: 'unsafe', by: 'Eli' });
  await dialog.getByRole('button', { name: 'Record 2 decisions' }).click();
  await dialog.getByText('1 of 2 recorded.').waitFor();
  await dialog.getByText(/Not recorded: Eli has decided case/).waitFor();
  expect(await ledger.decisions.listDecisions(ids[1]!)).toMatchObject([
    { by: 'Dora', label: 'safe', why: 'A toy that children build at camp.' },
  ]);
  expect(await ledger.decisions.listDecisions(ids[2]!)).toMatchObject([{ by: 'Eli' }]);
}, 120_000);

test('a quality sample is reviewed like any other, and the overview tells how each reviewer agrees', async () => {
  const id = await judge('Good morning, the meeting is at ten.');
  expect(await stage.server.ledger.reviews.findWaiting(id)).toMatchObject({ why: ['sampled'] });
  const page = await reviewer('Fay', `/queue?case=${id}`);
  await page.getByText('Quality sample').first().waitFor();
  await page.keyboard.press('s');
  await page.keyboard.press('r');
  await page.keyboard.type('A greeting.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('You and the machine agree.').waitFor();
  await page.goto(`${stage.server.url}/queues`);
  await page.getByText(/The machine was right in 1 of 1 decided samples: 100 %/).waitFor();
  await picture(page, 'queues-filled');
  await page.goto(`${stage.server.url}/overview`);
  const table = page.getByRole('region', { name: 'Agreement per reviewer' });
  await table.getByRole('row', { name: /^Fay 1 100 %/ }).waitFor();
  await expectGoodLooks(page, 'overview-reviewers');
  await table.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await picture(page, 'overview-reviewers-table');
}, 120_000);
