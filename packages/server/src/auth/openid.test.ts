import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openIdClient, startOpenIdProvider, type OpenIdProvider } from '@agonhq/test/support/openid-provider.ts';
import { findFreePort } from '@agonhq/test/support/find-free-port.ts';
import { Browser } from '@agonhq/test/support/browser.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';

let provider: OpenIdProvider;
let server: ServerUnderTest;
beforeAll(async () => {
  const port = await findFreePort();
  provider = await startOpenIdProvider([`http://127.0.0.1:${port}/sign-in/openid/callback`]);
  server = await runningServer({
    server: {
      port,
      auth: 'required',
      openid: { issuer: provider.issuer, ...openIdClient, name: 'the club', roles: { reviewers: ['read', 'review'] } },
    },
  });
}, 60_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});

describe('signing in through a provider', () => {
  test('opens a session with what the person’s roles open, in their name', async () => {
    const browser = new Browser();
    expect(await browser.signIn(server.url, { person: 'mara' })).toBe(`${server.url}/`);
    const self = await (await browser.visit(`${server.url}/api/self`)).json();
    expect(self).toMatchObject({ key: { name: 'Mara Lind', reviewer: 'Mara Lind' }, scopes: ['read', 'review'] });
    expect((self as { key: { id: string } }).key.id).toMatch(/^openid-[0-9a-f]{16}$/);
    expect((await browser.visit(`${server.url}/api/keys`)).status).toBe(403);
    expect([...browser.jarOf(server.url).keys()]).toEqual(['agon_session']);
  });

  test('is in the audit log, with the roles that the person came with', async () => {
    const browser = new Browser();
    await browser.signIn(server.url, { person: 'mara' });
    await browser.visit(`${server.url}/api/audit`);
    const entries = async () => (await server.ledger.audit.listEntries({ who: 'Mara Lind' }, { limit: 2 })).rows;
    await expect.poll(entries).toMatchObject([
      { operation: 'audit.list', status: 403, key: expect.stringMatching(/^openid-/) as string },
      { operation: 'session.openid', what: { roles: ['reviewers'] }, status: 303 },
    ]);
  });

  test('is offered where a key is asked for', async () => {
    expect(await (await server.call('/api/session')).json()).toEqual({
      openid: { name: 'the club', path: '/sign-in/openid' },
    });
  });

  test.each([
    ['whose roles open nothing', { person: 'otto' }],
    ['who declines', { no: '' }],
  ])('lets nobody in %s, and says so at the door and in the audit log', async (_, form: Record<string, string>) => {
    const browser = new Browser();
    const began = new Date();
    expect(await browser.signIn(server.url, form)).toBe(`${server.url}/?sign-in=sign-in-refused`);
    expect(browser.jarOf(server.url).size).toBe(0);
    const noted = async () => (await server.ledger.audit.listEntries({ from: began }, { limit: 1 })).rows;
    await expect
      .poll(noted)
      .toMatchObject([{ operation: 'session.openid', who: null, what: { code: 'sign-in-refused' }, status: 403 }]);
  });

  test('takes no answer that another browser asked for, and none twice', async () => {
    const [own, other] = [new Browser(), new Browser()];
    const page = await own.follow(`${server.url}/sign-in/openid`);
    let url = page;
    let form: Record<string, string> | undefined = { person: 'mara' };
    while (!url.startsWith(`${server.url}/sign-in/openid/callback`)) {
      url = new URL((await own.visit(url, form)).headers.get('location')!, url).href;
      form = undefined;
    }
    expect(await other.follow(url)).toBe(`${server.url}/?sign-in=sign-in-refused`);
    await other.visit(`${server.url}/sign-in/openid`);
    expect(await other.follow(url)).toBe(`${server.url}/?sign-in=openid-failed`);
    const kept = new Map(own.jarOf(server.url));
    expect(await own.follow(url)).toBe(`${server.url}/`);
    for (const [name, value] of kept) own.jarOf(server.url).set(name, value);
    expect(await own.follow(url)).toBe(`${server.url}/?sign-in=openid-failed`);
  });

  test('a session that somebody altered is none', async () => {
    const browser = new Browser();
    await browser.signIn(server.url, { person: 'mara' });
    const jar = browser.jarOf(server.url);
    const [id, ...rest] = jar.get('agon_session')!.split('.');
    const person = JSON.parse(Buffer.from(id!.slice(7), 'base64url').toString()) as { name: string };
    const forged = Buffer.from(JSON.stringify({ ...person, name: 'The director' })).toString('base64url');
    jar.set('agon_session', [`openid-${forged}`, ...rest].join('.'));
    expect((await browser.visit(`${server.url}/api/self`)).status).toBe(401);
  });
});

test('a provider that is not there is told at the door and in the log, and asked again later', async () => {
  await using alone = await runningServer({
    server: { openid: { issuer: `http://127.0.0.1:${await findFreePort()}`, clientId: 'agon', everybody: ['read'] } },
  });
  const { status, headers } = await fetch(`${alone.url}/sign-in/openid`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([303, '/?sign-in=openid-failed']);
  expect(alone.log).toContainEqual(expect.objectContaining({ event: 'sign-in', code: 'openid-failed' }));
});
