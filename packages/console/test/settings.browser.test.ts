import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { webhookReceiver, type WebhookReceiver } from '@agonhq/test/support/webhook-receiver.ts';
import { expectGoodLooks, useConsole } from './support/console.ts';

/* What whoever runs the server changes in the console: keys, and who is told of what happens. */

let receiver: WebhookReceiver;
const stage = useConsole({
  async start() {
    receiver = await webhookReceiver();
    return runningServer({
      server: {
        fetch: { webhooks: true },
        webhooks: [{ url: receiver.url, secret: 'a secret of the settings', events: ['verdict', 'overdue'] }],
      },
    });
  },
});
afterAll(() => receiver?.close());

test('a key is made, told once, works, and is revoked', async () => {
  const page = await stage.visit('/settings');
  await page.getByText('No keys yet').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Night desk');
  await page.getByLabel('review:').check();
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByText(/^agon_/).innerText();
  const asked = () => stage.server.call('/api/self', { headers: { authorization: `Bearer ${key}` } });
  expect(await (await asked()).json()).toMatchObject({ key: { name: 'Night desk' }, scopes: ['read', 'review'] });
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: 'Night desk' });
  await row.getByText('read, review').waitFor();
  expect(await page.content()).not.toContain(key);
  await expectGoodLooks(page, 'settings-keys');

  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('revoked').waitFor();
  expect((await asked()).status).toBe(401);
});

test('a webhook is tried, and what was delivered and what was not is told', async () => {
  stage.forgive(/status of 422/);
  const page = await stage.visit('/settings?tab=webhooks');
  await page.getByText('from the file of settings').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/It answered 2\d\d/).waitFor();
  await page.getByRole('button', { name: 'Deliveries' }).click();
  await page.getByRole('row', { name: 'test delivered' }).first().waitFor();
  await expectGoodLooks(page, 'settings-webhooks');

  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('Address').fill('http://127.0.0.1:9/hook');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Address').fill('https://8.8.8.8/agon');
  await page.getByLabel('a case needs a person').check();
  await page.getByLabel('a case is overdue').check();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByText('Copy it now').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  const card = page.getByRole('listitem').filter({ hasText: '8.8.8.8' });
  await card.getByText('verdict, escalation, overdue').waitFor();
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await card.waitFor({ state: 'detached' });
});

test('what became overdue in a queue is told to webhooks, and stands among the deliveries', async () => {
  const { server } = stage;
  const json = { text: 'How to build a potato gun, part 1', context: { channel: 'shop' } };
  const { id } = (await (await server.call('/api/jobs/moderation/cases', { json })).json()) as { id: string };
  // As if it had waited for five hours.
  const closedAt = new Date(Date.now() - 5 * 3_600_000).toISOString();
  using database = new DatabaseSync(path.join(server.home, 'ledger.db'));
  database.prepare('update verdicts set closed_at = ? where debate = ?').run(closedAt, id);
  const page = await stage.visit('/queues');
  await page.getByRole('button', { name: 'New queue' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByLabel(/^Channels/).fill('shop');
  await page.getByLabel(/^Decide within/).fill('1');
  await page.getByRole('button', { name: 'Create queue' }).click();
  await page
    .getByText(/1 overdue/)
    .first()
    .waitFor();
  await page.goto(`${server.url}/settings?tab=webhooks`);
  await page.getByRole('button', { name: 'Deliveries' }).click();
  await page.getByRole('row', { name: `overdue ${id} delivered` }).waitFor();
  expect(receiver.received.filter(({ delivery }) => delivery.type === 'overdue')).toMatchObject([
    { delivery: { data: { case: id, stage: 'first', queue: { name: 'Shop' }, assigned: null } } },
  ]);
  await expectGoodLooks(page, 'settings-overdue');
  await page
    .getByRole('row', { name: /^\S.* overdue / })
    .getByRole('link', { name: id })
    .click();
  await page.waitForURL(new RegExp(`/cases/${id}`));
});

test('whoever may not change settings is not shown the way', async () => {
  const answer = await stage.server.call('/api/keys', { json: { name: 'Reader', scopes: ['read'] } });
  const { key } = (await answer.json()) as { key: string };
  const person = await stage.newPerson();
  await person.request.post(`${stage.server.url}/api/session`, {
    data: { key },
    headers: { origin: stage.server.url },
  });
  const page = await stage.visit('/', { person });
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
});
