import type { BrowserContext } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { expectGoodLooks, measured, useConsole } from './support/console.ts';
import { firstLoad } from './support/first-load.ts';

/* What is around every page: how it loads, who may come in, whether the server is there. */

const key = 'a-key-of-the-environment-that-is-long-enough';
const stage = useConsole({
  start: () => runningServer({ server: { auth: 'required' } }, { environment: { AGON_API_KEY: key } }),
});
const admin = { authorization: `Bearer ${key}` };

let readKey: string;
beforeAll(async () => {
  readKey = (
    (await (
      await stage.server.call('/api/keys', { json: { name: 'Auditor', scopes: ['read'] }, headers: admin })
    ).json()) as { key: string }
  ).key;
});

const refused = /status of 401/;

test(
  'whoever has no key is asked for one; a wrong one is refused, a right one opens a session that a script ' +
    'cannot read',
  async () => {
    stage.forgive(refused);
    const page = await stage.visit('/policy');
    await page.getByLabel('API key').fill('agon_wrong_key_that_nobody_has');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await expectGoodLooks(page, 'sign-in');

    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Policy' }).waitFor();
    expect(await page.evaluate<string>('document.cookie')).toBe('');
    expect(JSON.stringify(await page.evaluate('({ ...localStorage, ...sessionStorage })'))).not.toContain(key);
    // It outlives the page, and ends when it is told to.
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Policy' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect((await page.context().request.get(`${stage.server.url}/api/self`)).status()).toBe(401);
  },
);

test('what a key may not do is not offered, and a key that is revoked ends its session', async () => {
  stage.forgive(refused);
  const page = await stage.visit('/precedents');
  await page.getByLabel('API key').fill(readKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Precedents' }).waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  expect(await pages.getByRole('link').allInnerTexts()).toEqual([
    'Judge',
    'Cases',
    'Documents',
    'Evaluations',
    'Precedents',
    'Policy',
    'Overview',
    'Watching',
  ]);
  expect(await page.getByRole('button', { name: 'New precedent' }).count()).toBe(0);

  const { rows } = (await (await stage.server.call('/api/keys', { headers: admin })).json()) as {
    rows: { id: string; name: string }[];
  };
  await stage.server.call(`/api/keys/${rows.find(({ name }) => name === 'Auditor')!.id}`, {
    method: 'DELETE',
    headers: admin,
  });
  await pages.getByRole('link', { name: 'Policy' }).click();
  await page.getByLabel('API key').waitFor();
});

describe('a page', () => {
  let judged: string;
  const open = useConsole({
    seed: async (server) => {
      const answered = await server.call('/api/jobs/moderation/cases', {
        json: { text: 'I will burn your house down.' },
      });
      judged = ((await answered.json()) as { id: string }).id;
    },
  });

  test('brings at most 350 kB at first, packed, with everything that it needs', async () => {
    const weigh = async (where: string) => {
      const bytes = await weighFirstLoad(await open.newPerson(), `${open.server.url}${where}`);
      const name = where.replace(judged, 'ID');
      measured(`first load of ${name}, packed`, `${Math.round(bytes / 1000)} kB`);
      expect(bytes, name).toBeGreaterThan(50_000);
      expect(bytes, name).toBeLessThanOrEqual(350_000);
    };
    const waiting = [
      '/',
      `/?case=${judged}`,
      '/cases',
      `/cases/${judged}`,
      '/queue',
      '/queues',
      '/annotation',
      '/documents',
      '/evaluations',
      '/precedents',
      '/policy',
      '/policy?tab=edit',
      '/overview',
      '/watching',
      '/settings',
      '/settings?tab=audit',
    ].values();
    // Several at once: most of it is waiting for what a page may still ask for.
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (const where of waiting) await weigh(where);
      }),
    );
  }, 240_000);
});

/** What comes over the line before a page is there, as it is packed: scripts, styles and figures; each asked for once. */
async function weighFirstLoad(person: BrowserContext, address: string): Promise<number> {
  const page = await person.newPage();
  const sizes: Promise<number>[] = [];
  const asked: string[] = [];
  page.on('requestfinished', (request) => {
    asked.push(request.url());
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(address);
  await page.locator('h1').first().waitFor();
  // What the page asks for by itself comes right after it.
  for (let known = -1; known !== sizes.length; await page.waitForTimeout(1_500)) known = sizes.length;
  const weighed = await Promise.all(sizes);
  await person.close();
  expect(
    asked.filter((url, index) => asked.indexOf(url) !== index),
    address,
  ).toEqual([]);
  return weighed.reduce((sum, bytes) => sum + bytes, 0);
}

test('the first load brings at most 250 kB of JavaScript, and neither charts nor PDF', () => {
  const { files, bytes } = firstLoad();
  measured('first load, JavaScript gzipped', `${Math.round(bytes / 1000)} kB`);
  expect(bytes).toBeLessThanOrEqual(250_000);
  expect(files.filter((file) => /pdf|chart/i.test(file))).toEqual([]);
});

test('colours that were chosen are there before the first paint', async () => {
  stage.forgive(refused);
  const page = await stage.visit('/');
  await page.evaluate("localStorage.setItem('agon.theme', 'dark')");
  await page.addInitScript(
    "addEventListener('DOMContentLoaded', () => { window.themeAtFirst = document.documentElement.dataset.theme; })",
  );
  await page.reload();
  expect(await page.evaluate('window.themeAtFirst')).toBe('dark');
  expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(22, 24, 29)');
});

test('a server that does not answer is said to be away, and the page goes on by itself when it is back', async () => {
  stage.forgive(/status of 401|Failed to load resource/);
  const page = await stage.visit('/policy');
  await page.getByLabel('API key').fill(key);
  await page.route(/\/api\/events$|\/healthz$/, (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The server is not responding.').waitFor();
  await page.unroute(/\/api\/events$|\/healthz$/);
  await page.getByText('The server is not responding.').waitFor({ state: 'detached' });
});
