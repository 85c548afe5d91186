import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakePanel, panelSettings } from '@agonhq/test/support/fake-panel.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';

let panel: Awaited<ReturnType<typeof startFakePanel>>;
let server: ServerUnderTest;
const secrets = ['a-key-of-the-file', 'a-key-of-the-environment', 'a client secret', 'a secret of a webhook'];
beforeAll(async () => {
  panel = await startFakePanel();
  const { providers, ...seated } = panelSettings(panel);
  server = await runningServer(
    {
      ...seated,
      providers: {
        ...providers,
        filed: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: secrets[0] },
        closed: { baseUrl: 'http://127.0.0.1:9/v1', kind: 'openai' },
      },
      models: {
        'filed:small': { concurrency: 2, requestsPerMinute: 60, price: { input: 1, output: 2 } },
        'closed:small': {},
        'environed:small': {},
      },
      budget: { itemTokens: 50_000 },
      server: {
        concurrency: 4,
        webhooks: [{ url: 'https://hooks.example.com/agon?token=1', secret: secrets[3]! }],
        openid: {
          issuer: 'https://id.example.com',
          clientId: 'agon',
          clientSecret: secrets[2],
          roles: { reviewers: ['read', 'review'] },
        },
      },
    },
    {
      environment: {
        ENVIRONED_API_KEY: secrets[1],
        ENVIRONED_BASE_URL: 'https://models.example.com/v1',
        AGON_SERVER_CONCURRENCY: '4',
      },
    },
  );
}, 60_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await panel?.close();
});

const read = async () => (await server.call('/api/settings')).json() as Promise<Record<string, never>>;
const tried = async (model: string) => {
  const response = await server.call('/api/models/try', { json: { model } });
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
};

describe('the settings in force', () => {
  test('say who sits where, and how models are reached, limited and paid', async () => {
    const { jobs, models } = (await read()) as unknown as { jobs: { id: string; seats: object }[]; models: object[] };
    expect(jobs.map(({ id }) => id)).toEqual(['moderation', 'evaluation', 'documents']);
    expect(Object.values(jobs[0]!.seats)).toContain(Object.values(panelSettings(panel).seats)[0]);
    expect(models).toContainEqual({
      model: 'filed:small',
      kind: 'language',
      provider: { name: 'filed', host: '127.0.0.1:9', local: false, key: { from: 'settings', variable: null } },
      limits: { concurrency: 2, requestsPerMinute: 60, tokensPerMinute: null, timeoutMs: 2_000 },
      price: { input: 1, output: 2 },
      fallbacks: [],
      problem: null,
    });
    expect(models).toContainEqual(
      expect.objectContaining({
        model: 'environed:small',
        provider: {
          name: 'environed',
          host: 'models.example.com',
          local: false,
          key: { from: 'environment', variable: 'ENVIRONED_API_KEY' },
        },
      }),
    );
    expect(models).toContainEqual(
      expect.objectContaining({
        model: 'closed:small',
        problem: expect.objectContaining({ code: 'missing-key' }) as object,
      }),
    );
  });

  test('say of each setting what it is and where it was set', async () => {
    const { groups, webhooks, openid, ffmpeg, installed } = (await read()) as unknown as {
      groups: { name: string; settings: { path: string }[] }[];
    } & Record<string, unknown>;
    expect(groups[0]!.name).toBe('general');
    const settings = groups.flatMap((group) => group.settings);
    const find = (path: string) => settings.find((setting) => setting.path === path);
    expect(find('server.concurrency')).toMatchObject({
      value: 4,
      source: 'environment',
      variable: 'AGON_SERVER_CONCURRENCY',
    });
    expect(find('budget.itemTokens')).toMatchObject({ value: 50_000, source: 'settings', variable: null });
    expect(find('sensitivity')).toMatchObject({ value: null, source: 'default' });
    expect(webhooks).toEqual([{ host: 'hooks.example.com', events: ['verdict'] }]);
    expect(openid).toMatchObject({ issuer: 'https://id.example.com', roles: { reviewers: ['read', 'review'] } });
    expect(ffmpeg).toHaveProperty('version');
    expect(installed).toContainEqual(expect.objectContaining({ id: 'guard-2', state: 'there' }));
  });

  test('never tell a secret', async () => {
    const said = JSON.stringify(await read());
    for (const secret of secrets) expect(said).not.toContain(secret);
    expect(said).not.toContain('token=1');
  });
});

describe('a model is tried', () => {
  test('and answers', async () => {
    const [model] = Object.values(panelSettings(panel).seats) as [string];
    expect(await tried(model)).toEqual({
      status: 200,
      model,
      ok: true,
      milliseconds: expect.any(Number) as number,
      problem: null,
    });
  });

  test('and does not: why is said, with what to do', async () => {
    expect(await tried('filed:small')).toMatchObject({ status: 200, ok: false, problem: { code: 'models-away' } });
    expect(await tried('closed:small')).toMatchObject({
      ok: false,
      problem: { code: 'missing-key', hint: expect.stringContaining('CLOSED_API_KEY') as string },
    });
  });

  test('only where the settings name it', async () => {
    expect(await tried('openai:gpt-4o')).toMatchObject({ status: 404, code: 'unnamed-model' });
  });
});

test('the embedded model is loaded', async () => {
  await using plain = await runningServer();
  const answer = await plain.call('/api/models/try', { json: { model: 'embedded:guard-2' } });
  expect(await answer.json()).toMatchObject({ ok: true, problem: null });
});
