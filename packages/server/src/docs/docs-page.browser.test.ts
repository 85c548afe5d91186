import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pale } from '@agonhq/test/support/report-page.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { operations } from '../api/index.ts';
import { startChromium } from '@agonhq/test/support/chromium.ts';

const desk = { width: 1280, height: 900 };
let server: ServerUnderTest;
const contexts: BrowserContext[] = [];
let opened: Opened;
beforeAll(async () => {
  server = await runningServer(
    { server: { auth: 'required' } },
    { environment: { AGON_API_KEY: 'a-key-of-the-environment-that-is-long-enough' } },
  );
  opened = await open();
}, 60_000);
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await server?.[Symbol.asyncDispose]();
});

interface Opened {
  page: Page;
  elsewhere: string[];
  alarms: string[];
}

/** Every operation is on the page, so that it takes a while: most tests share one. */
async function open({ javaScriptEnabled = true }: { javaScriptEnabled?: boolean } = {}): Promise<Opened> {
  const context = await (await startChromium()).newContext({ viewport: desk, javaScriptEnabled });
  contexts.push(context);
  const page = await context.newPage();
  const elsewhere: string[] = [];
  const alarms: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith('data:'))
      elsewhere.push(request.url());
  });
  page.on('console', (message) => {
    // Advice that no user sees.
    if (message.type() !== 'debug') alarms.push(message.text());
  });
  page.on('pageerror', (error) => alarms.push(error.message));
  await page.goto(`${server.url}/docs`);
  return { page, elsewhere, alarms };
}

test('the page is whole, asks nobody else and raises no alarm', async () => {
  const { page, elsewhere, alarms } = opened;
  expect(await page.locator('main article[data-words]').count()).toBe(operations.length);
  expect(elsewhere).toEqual([]);
  expect(alarms).toEqual([]);
});

test('it can be read without a script', async () => {
  const { page } = await open({ javaScriptEnabled: false });
  expect(await page.locator('article[id="moderations.create"] h3').innerText()).toBe('Judge a text, images, or both');
  expect(await page.locator('.try').first().isVisible()).toBe(false);
});

test('the filter leaves what fits, in the list and on the page', async () => {
  const { page } = opened;
  await page.getByLabel('Filter').fill('report get');
  await expect.poll(() => page.locator('main article[data-words]:visible').count()).toBeLessThan(10);
  expect(await page.locator('main article[id="cases.report"]').isVisible()).toBe(true);
  expect(await page.locator('main article[id="keys.list"]').isVisible()).toBe(false);
  expect(await page.locator('nav').getByText('keys', { exact: true }).isVisible()).toBe(false);
  await page.getByLabel('Filter').fill('');
  await expect.poll(() => page.locator('main article[data-words]:visible').count()).toBe(operations.length);
});

test('a verdict can be asked for from the page, once the key is given', async () => {
  const { page, alarms, elsewhere } = opened;
  const form = page.locator('article[id="moderations.create"] .try');
  await form.locator('summary').first().click();
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('401', { exact: false }).first().waitFor();
  await page.getByLabel('Key for “Try it”').fill('a-key-of-the-environment-that-is-long-enough');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText(/^200 /).waitFor();
  expect(await form.locator('.outcome > pre').innerText()).toContain('"label": "safe"');
  await form.getByLabel('Live events').check();
  await form.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => form.locator('.outcome > pre').innerText(), { timeout: 10_000 }).toContain('event: answer');
  expect(elsewhere).toEqual([]);
  // The browser itself says when an answer was 401; nothing else is wrong.
  expect(alarms.filter((alarm) => !alarm.includes('401'))).toEqual([]);
  expect(await page.evaluate('JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])')).toBe(
    '[0,0,""]',
  );
});

test('a file can be sent from the page', async () => {
  const { page } = opened;
  await page.getByLabel('Key for “Try it”').fill('a-key-of-the-environment-that-is-long-enough');
  const form = page.locator('article[id="analyses.create"] .try');
  await form.locator('summary').first().click();
  await form.locator('input[type=file]').setInputFiles({
    name: 'report.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('Revenue grew to 120 million in 2024 from 100 million in 2023.'),
  });
  await form.locator('input[name=maxFactors]').fill('1');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText(/^200 /).waitFor();
  expect(await form.locator('.outcome > pre').innerText()).toContain('"name": "report.md"');
});

test.each(['light', 'dark'] as const)('every text can be made out, in %s', async (scheme) => {
  const { page } = opened;
  await page.emulateMedia({ colorScheme: scheme });
  expect(await page.evaluate(pale)).toEqual([]);
});

test('it fits a phone', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
