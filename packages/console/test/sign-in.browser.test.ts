import { afterAll, expect, test } from 'vitest';
import { openIdClient, startOpenIdProvider, type OpenIdProvider } from '@agonhq/test/support/openid-provider.ts';
import { findFreePort } from '@agonhq/test/support/find-free-port.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { expectGoodLooks, useConsole } from './support/console.ts';

/* Signing in through a real provider, which runs in a process of its own. */

let provider: OpenIdProvider;
const stage = useConsole({
  async start() {
    const port = await findFreePort();
    provider = await startOpenIdProvider([`http://127.0.0.1:${port}/sign-in/openid/callback`]);
    const openid = { issuer: provider.issuer, ...openIdClient, name: 'Example Inc.' };
    return runningServer({
      server: { port, auth: 'required', openid: { ...openid, roles: { reviewers: ['read', 'review'] } } },
    });
  },
});
afterAll(() => provider?.[Symbol.asyncDispose]());

test('whomever the provider knows comes in by it, in their own name, and out again', async () => {
  // The provider has no icon.
  stage.forgive(/status of 40[14]|127\.0\.0\.1/);
  const page = await stage.visit('/cases');
  await page.getByRole('link', { name: 'Sign in with Example Inc.' }).waitFor();
  await expectGoodLooks(page, 'sign-in-openid');
  await page.getByRole('link', { name: 'Sign in with Example Inc.' }).click();
  await page.getByLabel('Name').fill('otto');
  await page.getByRole('button', { name: 'Go in' }).click();
  await page.getByText('none of your roles opens this server').waitFor();

  await page.context().clearCookies({ domain: '127.0.0.1' });
  await page.getByRole('link', { name: 'Sign in with Example Inc.' }).click();
  await page.getByLabel('Name').fill('mara');
  await page.getByRole('button', { name: 'Go in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(new URL(page.url()).origin).toBe(stage.server.url);
  await page.goto(`${stage.server.url}/queue`);
  await page.getByText('Mara Lind').first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in with Example Inc.' }).waitFor();
});
