import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { webhookReceiver, type WebhookReceiver } from '@agonhq/test/support/webhook-receiver.ts';
import { expectGoodLooks, useConsole } from './support/console.ts';

/* What whoever runs the server looks at: who did what, what it runs with, whether models answer. */

let panel: Awaited<ReturnType<typeof startFakePanel>>;
let receiver: WebhookReceiver;
let mara: string;
let found: string;
const stage = useConsole({
  async start() {
    panel = await startFakePanel();
    receiver = await webhookReceiver();
    const { providers, ...seated } = panelSettings(panel);
    return runningServer(
      {
        ...seated,
        providers: {
          ...providers,
          acme: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a-key-that-nobody-sees' },
          openai: { baseUrl: 'http://127.0.0.1:9/v1' },
        },
        models: {
          'acme:large': { concurrency: 2, requestsPerMinute: 600, price: { input: 3, output: 15 } },
          'openai:gpt-4o-mini': {},
        },
        budget: { runTokens: 2_000_000 },
        server: { concurrency: 8, webhooks: [{ url: receiver.url, secret: 'a secret of the settings' }] },
      },
      { environment: { AGON_SERVER_CONCURRENCY: '8' } },
    );
  },
  async seed(server) {
    const made = async (name: string, scopes: string[], reviewer?: string) =>
      ((await (await server.call('/api/keys', { json: { name, scopes, reviewer } })).json()) as { key: string }).key;
    mara = await made('Review desk', ['read', 'judge', 'review'], 'Mara Lind');
    const headers = { authorization: `Bearer ${mara}` };
    const judged = await server.call('/api/jobs/moderation/cases', {
      json: { text: 'Good morning, all of you.' },
      headers,
    });
    ({ id: found } = (await judged.json()) as { id: string });
    await server.call('/api/session', { json: { key: mara }, headers: { origin: server.url } });
    await server.call(`/api/cases/${found}/feedback`, { json: { label: 'safe', why: 'A greeting.' }, headers });
    await server.call('/api/keys', { headers });
    const hostile = await made('<img src=x onerror=alert(1)>', ['read']);
    await server.call('/api/known-images', { headers: { authorization: `Bearer ${hostile}` } });
    await server.call('/api/runs/nothing/cancel', { method: 'POST', headers });
    await server.call('/api/known-images/export?format=csv');
  },
});
afterAll(async () => {
  await panel?.close();
  await receiver?.close();
});

test('the audit log says who did what, is filtered by its address, and is exported as filtered', async () => {
  const page = await stage.visit('/settings?tab=audit', { width: 1440 });
  const table = page.getByRole('region', { name: 'Audit log' });
  const decided = table.getByRole('row', { name: 'Corrected a verdict' });
  await decided.getByText('Mara Lind').waitFor();
  await decided.getByRole('link', { name: found }).waitFor();
  await table.getByRole('row', { name: 'Listed the keys' }).getByText('refused').waitFor();
  await table.getByRole('row', { name: 'Stopped a run' }).getByText('failed, 404').waitFor();
  await table.getByRole('row', { name: '<img src=x onerror=alert(1)>' }).first().waitFor();
  expect(await page.content()).not.toContain('A greeting.');
  await expectGoodLooks(page, 'settings-audit');

  await page.getByLabel('Who').selectOption('Mara Lind');
  await page.waitForURL(/who=Mara/);
  await table.getByText('Exported known images').waitFor({ state: 'detached' });
  await page.getByLabel('What').selectOption('Corrected a verdict');
  await page.waitForURL(/operation=cases.feedback/);
  await expect.poll(() => table.locator('tbody tr').count()).toBe(1);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv.trimEnd().split('\n')).toHaveLength(2);
  expect(csv).toContain(`cases.feedback,${found}`);

  await page.getByLabel('From').fill('2031-01-01');
  await page.getByText('Nothing of that kind').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await table.getByText('Exported known images').waitFor();
  expect(new URL(page.url()).search).toBe('?tab=audit');
});

test('who was seen lately is listed, with what they may and a way to what they did', async () => {
  const page = await stage.visit('/settings', { width: 1440 });
  const row = page.getByRole('region', { name: 'Seen lately' }).getByRole('row', { name: 'Mara Lind' });
  await row.getByText('read, judge, review').waitFor();
  await expectGoodLooks(page, 'settings-people');
  await row.getByRole('link').click();
  await page.waitForURL(/tab=audit.*who=Mara|who=Mara.*tab=audit/);
  await page.getByRole('region', { name: 'Audit log' }).getByText('Signed in with a key').waitFor();
});

test('the settings in force are told without secrets, and each model is tried by a button', async () => {
  const page = await stage.visit('/settings?tab=in-force', { width: 1440 });
  const models = page.getByRole('region', { name: 'Models', exact: true });
  const row = (name: string) => models.getByRole('row', { name });
  await row('acme:large').getByText('$3.00 in, $15.00 out').waitFor();
  await row('openai:gpt-4o-mini').getByText('There is no API key for openai.').waitFor();
  await page.getByRole('row', { name: 'server.concurrency' }).getByText('AGON_SERVER_CONCURRENCY').waitFor();
  await page.getByRole('row', { name: 'budget.runTokens' }).getByText('2,000,000').waitFor();
  await page.getByRole('region', { name: 'Models on this machine' }).getByText('guard-2').waitFor();

  const [seated] = Object.values(panelSettings(panel).seats) as [string];
  await page.getByRole('button', { name: `Try ${seated}` }).click();
  await row(seated)
    .getByText(/answers in \d/)
    .waitFor();
  await page.getByRole('button', { name: 'Try all' }).click();
  await row('acme:large').getByText('models-away').waitFor();
  await row('openai:gpt-4o-mini').getByText('missing-key').waitFor();
  await expectGoodLooks(page, 'settings-in-force');
  for (const secret of ['a-key-that-nobody-sees', 'a secret of the settings'])
    expect(await page.content()).not.toContain(secret);
});

test('a delivery that was given up is sent again by a button', async () => {
  const { rows } = (await (await stage.server.call('/api/webhooks')).json()) as { rows: { id: string }[] };
  await stage.server.ledger.webhooks.keepDelivery({
    id: 'delivery-given-up',
    webhook: rows[0]!.id,
    event: 'verdict',
    payload: { id: 'delivery-given-up', type: 'verdict', created_at: new Date().toISOString(), data: {} },
    state: 'failed',
    attempts: 8,
    status: 503,
    error: 'It answered with 503.',
    dueAt: null,
    createdAt: new Date(),
    endedAt: new Date(),
  });
  const page = await stage.visit('/settings?tab=webhooks', { width: 1440 });
  await page.getByRole('button', { name: 'Deliveries' }).click();
  const failed = page.getByRole('row', { name: 'It answered with 503.' });
  await failed.getByText('given up').waitFor();
  await expectGoodLooks(page, 'settings-deliveries');
  await failed.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('It is being sent again.').waitFor();
  await expect.poll(() => receiver.received.map(({ delivery }) => delivery.id)).toContain('delivery-given-up');
  await page.reload();
  await page.getByRole('button', { name: 'Deliveries' }).click();
  await page.getByRole('region', { name: 'Deliveries' }).getByText('given up').waitFor({ state: 'detached' });
});
