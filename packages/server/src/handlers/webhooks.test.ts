import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { isSigned, webhookReceiver, type WebhookReceiver } from '@agonhq/test/support/webhook-receiver.ts';
import { schemas } from '../api/index.ts';
import { sendRequest } from '../outbound/fetch-image.ts';
import { openOutbound } from '../outbound/outbound.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const threat = { text: 'I will kill you and your whole family tonight.' };

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 50 });

let hook: WebhookReceiver;
beforeEach(async () => {
  hook = await webhookReceiver();
});
afterEach(() => hook.close());

const problem = async (response: Response) => ({
  status: response.status,
  code: ((await response.json()) as { code: string }).code,
});

/**
 * A server where webhooks may be made by request; every name is at a public address, and whoever connects there meets
 * our receiver.
 */
function openServer(): Promise<ServerUnderTest> {
  const outbound = openOutbound(
    { fetch: { webhooks: true } },
    {
      resolve: async () => [{ address: '93.184.215.14', family: 4 }],
      exchange: (_, { lookup: _lookup, ...sent }) => sendRequest(new URL(hook.url), sent),
    },
  );
  return runningServer({ server: { fetch: { webhooks: true } } }, { outbound });
}

describe('a webhook of the configuration file', () => {
  test('is told of a verdict and of what a person decides, and of neither’s text', async () => {
    await using server = await runningServer({
      server: { webhooks: [{ url: hook.url, secret, events: ['verdict', 'decision'] }] },
    });
    const answer = (await (await server.call('/api/jobs/moderation/cases', { json: threat })).json()) as {
      id: string;
      verdict: { label: string };
      seal: string;
    };
    await eventually(() => expect(hook.received).toHaveLength(1));
    expect(hook.received[0]!.delivery).toMatchObject({
      type: 'verdict',
      data: { case: { id: answer.id, job: 'moderation', label: answer.verdict.label, seal: answer.seal } },
    });
    await server.call(`/api/cases/${answer.id}/feedback`, { json: { label: 'safe', why: 'a line of a play' } });
    await eventually(() => expect(hook.received).toHaveLength(2));
    expect(hook.received[1]!.delivery).toMatchObject({
      type: 'decision',
      data: { case: answer.id, label: 'safe', verdict: answer.verdict.label },
    });
    expect(hook.received.every((each) => isSigned(each, secret))).toBe(true);
    expect(hook.received.map(({ body }) => body).join()).not.toMatch(/family|a line of a play/);
  });

  test('is listed without its secret, and can be removed only from the file', async () => {
    await using server = await runningServer({
      server: { webhooks: [{ url: hook.url.replace('//', '//user:hidden@'), secret }] },
    });
    const response = await server.call('/api/webhooks');
    const list = schemas.webhookList.parse(await response.json());
    expect(list).toEqual({
      rows: [
        {
          id: expect.stringMatching(/^config-[0-9a-f]{16}$/),
          url: hook.url,
          events: ['verdict'],
          configured: true,
          createdAt: null,
          disabledAt: null,
          problem: null,
        },
      ],
    });
    const { id } = list.rows[0]!;
    expect(await problem(await server.call(`/api/webhooks/${id}`, { method: 'DELETE' }))).toEqual({
      status: 409,
      code: 'configured-webhook',
    });
    expect(
      schemas.delivery.parse(await (await server.call(`/api/webhooks/${id}/test`, { method: 'POST' })).json()),
    ).toMatchObject({ webhook: id, event: 'test', state: 'delivered', status: 204 });
    expect(hook.received[0]!.delivery).toMatchObject({ type: 'test', data: {} });
    expect(JSON.stringify([list, server.log])).not.toMatch(/MfKQ9r8|hidden/);
  });

  test('waits for nobody: a verdict is answered while its receiver is away, and the next server delivers what waited', async () => {
    await hook.close();
    const settings = { server: { webhooks: [{ url: hook.url, secret }] } };
    await using server = await runningServer(settings);
    expect((await server.call('/api/jobs/moderation/cases', { json: threat })).status).toBe(200);
    await eventually(async () =>
      expect((await deliveries(server)).rows).toMatchObject([
        { state: 'waiting', attempts: 1, error: 'The webhook cannot be reached: the connection was refused.' },
      ]),
    );
    await server.close();
    hook = await webhookReceiver([204], hook.port);
    await using next = await runningServer(settings, { ledger: server.ledger });
    await eventually(async () =>
      expect((await deliveries(next)).rows).toMatchObject([{ state: 'delivered', attempts: 2 }]),
    );
    expect(hook.received).toHaveLength(1);
  });

  async function deliveries(server: ServerUnderTest) {
    const { rows } = schemas.webhookList.parse(await (await server.call('/api/webhooks')).json());
    return schemas.deliveryPage.parse(await (await server.call(`/api/webhooks/${rows[0]!.id}/deliveries`)).json());
  }
});

describe('a webhook made by request', () => {
  test('is refused unless the server allows it, and then never a private address', async () => {
    await using server = await runningServer();
    expect(await problem(await server.call('/api/webhooks', { json: { url: 'https://example.com/hook' } }))).toEqual({
      status: 403,
      code: 'fetch-not-allowed',
    });
    await using open = await runningServer({ server: { fetch: { webhooks: true } } });
    for (const url of [
      'https://127.0.0.1/',
      'https://localhost/',
      'https://[::ffff:169.254.169.254]/',
      'https://0x7f.1/',
    ]) {
      expect(await problem(await open.call('/api/webhooks', { json: { url } })), url).toEqual({
        status: 403,
        code: 'private-address',
      });
    }
    expect(await problem(await open.call('/api/webhooks', { json: { url: hook.url } }))).toEqual({
      status: 422,
      code: 'bad-url',
    });
    expect(((await (await open.call('/api/webhooks')).json()) as { rows: unknown[] }).rows).toEqual([]);
    expect(hook.received).toEqual([]);
  });

  test('shows its secret once, signs with it, is tested, told, listed and removed', async () => {
    await using server = await openServer();
    const response = await server.call('/api/webhooks', {
      json: { url: 'https://example.com/hook', events: ['verdict', 'verdict'] },
    });
    expect(response.status).toBe(201);
    const made = schemas.madeWebhook.parse(await response.json());
    expect(made).toMatchObject({
      url: 'https://example.com/hook',
      events: ['verdict'],
      configured: false,
      disabledAt: null,
    });
    expect(
      schemas.delivery.parse(await (await server.call(`/api/webhooks/${made.id}/test`, { method: 'POST' })).json())
        .state,
    ).toBe('delivered');
    await server.call('/api/jobs/moderation/cases', { json: threat });
    await eventually(() => expect(hook.received.map(({ delivery }) => delivery.type)).toEqual(['test', 'verdict']));
    expect(hook.received.every((each) => isSigned(each, made.secret))).toBe(true);
    await eventually(async () =>
      expect(
        schemas.deliveryPage.parse(
          await (await server.call(`/api/webhooks/${made.id}/deliveries?state=delivered&limit=1`)).json(),
        ),
      ).toMatchObject({ rows: [{ event: 'verdict', attempts: 1, status: 204 }], next: expect.any(String) }),
    );
    const list = await (await server.call('/api/webhooks')).text();
    expect(schemas.webhookList.parse(JSON.parse(list)).rows.map(({ id }) => id)).toEqual([made.id]);
    expect(list + JSON.stringify(server.log)).not.toContain(made.secret.slice(6));
    expect((await server.call(`/api/webhooks/${made.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await problem(await server.call(`/api/webhooks/${made.id}/deliveries`))).toEqual({
      status: 404,
      code: 'unknown-webhook',
    });
    expect(await problem(await server.call(`/api/webhooks/${made.id}`, { method: 'DELETE' }))).toEqual({
      status: 404,
      code: 'unknown-webhook',
    });
    await server.call('/api/jobs/moderation/cases', { json: { text: 'Something else.' } });
    expect(hook.received).toHaveLength(2);
  });

  test('is told nothing any more where the server no longer allows it, and the list says so', async () => {
    const before = await openServer();
    const { id } = schemas.madeWebhook.parse(
      await (await before.call('/api/webhooks', { json: { url: 'https://example.com/hook' } })).json(),
    );
    await before.close();
    await using after = await runningServer({}, { ledger: before.ledger });
    expect(schemas.webhookList.parse(await (await after.call('/api/webhooks')).json()).rows).toMatchObject([
      { id, problem: expect.stringContaining('server.fetch.webhooks') },
    ]);
    expect(await problem(await after.call(`/api/webhooks/${id}/test`, { method: 'POST' }))).toEqual({
      status: 403,
      code: 'fetch-not-allowed',
    });
    await after.call('/api/jobs/moderation/cases', { json: threat });
    expect(hook.received).toEqual([]);
    await after.close();
    await before[Symbol.asyncDispose]();
  });
});

test('an image by its URL is refused by default, and from a private address always', async () => {
  await using closed = await runningServer();
  expect(
    await problem(
      await closed.call('/api/jobs/moderation/cases', { json: { images: [{ url: 'https://example.com/a.png' }] } }),
    ),
  ).toEqual({ status: 403, code: 'fetch-not-allowed' });
  await using open = await runningServer({ server: { fetch: { images: true } } });
  expect(
    await problem(
      await open.call('/api/jobs/moderation/cases', {
        json: { images: [{ url: 'http://169.254.169.254/latest/meta-data' }] },
      }),
    ),
  ).toEqual({ status: 403, code: 'private-address' });
  expect(
    await problem(await open.call('/api/jobs/moderation/cases', { json: { images: [{ url: hook.url }] } })),
  ).toEqual({
    status: 422,
    code: 'bad-url',
  });
});
