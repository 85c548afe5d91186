import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '@agonhq/test/support/browser.ts';
import { findFreePort } from '@agonhq/test/support/find-free-port.ts';
import { openIdClient, startOpenIdProvider, type OpenIdProvider } from '@agonhq/test/support/openid-provider.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as } from '@agonhq/test/support/server-runs.ts';
import { locateTeam, openLedger, type Ledger } from '@agonhq/ledger';
import { openKeys } from '../auth/index.ts';

let folder: string;
let ledger: Ledger;
let provider: OpenIdProvider;
let server: ServerUnderTest;
let admin: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-team-api-'));
  const place = { file: path.join(folder, 'ledger.sqlite') };
  ledger = await openLedger(place);
  const port = await findFreePort();
  provider = await startOpenIdProvider([`http://127.0.0.1:${port}/sign-in/openid/callback`]);
  const roles = { reviewers: ['read', 'review'], choir: ['read'] } as const;
  server = await runningServer(
    {
      server: {
        port,
        auth: 'required',
        openid: {
          issuer: provider.issuer,
          ...openIdClient,
          roles: { reviewers: [...roles.reviewers], choir: [...roles.choir] },
          teams: { reviewers: 'desk' },
        },
      },
    },
    { ledger, openTeamLedger: (team) => openLedger(locateTeam(place, team)) },
  );
  const { key } = await (await openKeys({ ledger, environment: {} })).create({ name: 'boss', scopes: ['admin'] });
  admin = { authorization: `Bearer ${key}` };
}, 60_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
  await ledger?.close();
  await rm(folder, { recursive: true, force: true });
});

const create = (json: object, headers = admin) => server.call('/api/teams', { json, headers });
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

describe('teams over HTTP', () => {
  test('one is added with its settings and a first key, which opens that team and no other list of teams', async () => {
    const settings = { sensitivity: 'high', server: { ratePerMinute: 600 } };
    const made = await as('teams.create', await create({ name: 'acme', settings }));
    expect(made).toMatchObject({ name: 'acme', settings, key: expect.stringMatching(/^agon_acme_/) as string });
    const headers = { authorization: `Bearer ${made.key}` };
    expect(await (await server.call('/api/self', { headers })).json()).toMatchObject({
      team: 'acme',
      scopes: expect.arrayContaining(['admin']) as string[],
    });
    const { key: _, ...shown } = made;
    expect(await as('teams.get', await server.call('/api/teams/acme', { headers: admin }))).toEqual(shown);
    expect(await as('teams.list', await server.call('/api/teams', { headers: admin }))).toEqual({ rows: [shown] });
    for (const where of ['/api/teams', '/api/teams/acme'])
      expect(await codeOf(await server.call(where, { headers }))).toEqual([403, 'no-teams-here']);
    expect(await codeOf(await create({ name: 'mine' }, headers))).toEqual([403, 'no-teams-here']);
    expect((await ledger.teams.listTeams()).map(({ name }) => name)).toEqual(['acme']);
  });

  test.each([
    [{ name: 'acme' }, 409, 'team-exists'],
    [{ name: 'No Team' }, 422, 'bad-team-name'],
    [{ name: 'other', settings: { server: { port: 80 } } }, 422, 'bad-settings'],
    [{ name: 'other', settings: { providers: { openai: { baseUrl: 'http://evil.example' } } } }, 422, 'bad-settings'],
    [{ name: 'other', colour: 'blue' }, 400, 'bad-request'],
  ])('%j is refused', async (body, status, code) => {
    expect(await codeOf(await create(body))).toEqual([status, code]);
    expect(await codeOf(await server.call('/api/teams/other', { headers: admin }))).toEqual([404, 'unknown-team']);
  });
});

describe('people of an OpenID provider', () => {
  const signIn = async (person: string) => {
    const browser = new Browser();
    const place = await browser.signIn(server.url, { person });
    const self = (await (await browser.visit(`${server.url}/api/self`)).json()) as { team?: string | null };
    return { browser, place, self };
  };

  test('are in the team that their role belongs to, and others in the installation’s own', async () => {
    // A team that there is not lets nobody in.
    expect((await signIn('mara')).place).toBe(`${server.url}/?sign-in=unknown-team`);
    await create({ name: 'desk' });
    const { browser, self } = await signIn('mara');
    expect(self).toMatchObject({ team: 'desk', scopes: ['read', 'review'], key: { name: 'Mara Lind' } });
    expect((await signIn('otto')).self).toMatchObject({ team: null, scopes: ['read'] });
    const jar = browser.jarOf(server.url);
    const session = jar.get('agon_session')!;
    for (const forged of [session.replace(/^desk_/, 'acme_'), session.replace(/^desk_/, '')]) {
      jar.set('agon_session', forged);
      expect((await browser.visit(`${server.url}/api/self`)).status).toBe(401);
    }
  });
});
