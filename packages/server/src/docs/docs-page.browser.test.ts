import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pale } from '@agonhq/test/support/report-page.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { startChromium } from '@agonhq/test/support/chromium.ts';

const key = 'a-key-of-the-environment-that-is-long-enough';
const desk = { width: 1280, height: 900 };
let server: ServerUnderTest;
const contexts: BrowserContext[] = [];
let opened: Opened;
beforeAll(async () => {
  server = await runningServer({ server: { auth: 'required' } }, { environment: { AGON_API_KEY: key } });
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

/** It takes a while to show all operations: most tests share one page. */
async function open(): Promise<Opened> {
  const context = await (await startChromium()).newContext({ viewport: desk });
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

/** An operation as it is opened by its address: others are drawn when they come into view. */
async function showOperation(id: string): Promise<Locator> {
  const { page } = opened;
  await page.goto('about:blank');
  await page.goto(`${server.url}/docs#/${id.split('.')[0]}/${id}`);
  const operation = page.locator('.opblock.is-open');
  await operation.getByRole('button', { name: 'Execute' }).waitFor();
  return operation;
}

async function signIn(key: string): Promise<void> {
  const { page } = opened;
  await page.getByRole('button', { name: 'Authorize' }).click();
  const form = page.locator('.auth-container', { hasText: 'bearer' });
  await form.getByRole('textbox').fill(key);
  await form.getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.close-modal').click();
}

test('the page shows what there is, asks nobody else and raises no alarm', async () => {
  const { page, elsewhere, alarms } = opened;
  await page.locator('[id="operations-moderations-moderations\\\\.create"]').waitFor();
  expect(await page.locator('.info').innerText()).toContain('Doing it once');
  expect(elsewhere).toEqual([]);
  expect(alarms).toEqual([]);
});

test('an operation shows what it takes, its scope, and how the client asks for it', async () => {
  const operation = await showOperation('cases.list');
  const text = await operation.innerText();
  expect(text).toContain('await client.cases.list()');
  expect(text).toMatch(/x-agon-scope\s+"read"/);
  expect(await operation.getByPlaceholder('limit').inputValue()).toBe('50');
});

test('the filter leaves what fits', async () => {
  const { page } = opened;
  await page.getByPlaceholder('Filter').fill('report');
  await expect.poll(() => page.locator('.opblock-tag').count()).toBe(1);
  await page.getByPlaceholder('Filter').fill('');
  await expect.poll(() => page.locator('.opblock-tag').count()).toBeGreaterThan(1);
});

test('a verdict can be asked for from the page, once the key is given', async () => {
  const { page, alarms, elsewhere } = opened;
  const operation = await showOperation('moderations.create');
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table').getByText('401').first().waitFor();
  await signIn(key);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.getByText('"label": "safe"').waitFor();
  expect(await operation.locator('.curl-command').innerText()).toContain("-X 'POST'");
  expect(elsewhere).toEqual([]);
  // The browser itself says when an answer was 401; nothing else is wrong.
  expect(alarms.filter((alarm) => !alarm.includes('401'))).toEqual([]);
  expect(await page.evaluate('JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])')).toBe(
    '[0,0,""]',
  );
});

test('a file can be sent from the page', async () => {
  const operation = await showOperation('analyses.create');
  await signIn(key);
  await operation.locator('input[type=file]').setInputFiles({
    name: 'report.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('Revenue grew to 120 million in 2024 from 100 million in 2023.'),
  });
  await operation.getByPlaceholder('maxFactors').fill('1');
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table').getByText('"name": "report.md"').first().waitFor();
});

test.each(['light', 'dark'] as const)('every text can be made out, in %s', async (scheme) => {
  const { page } = opened;
  await page.emulateMedia({ colorScheme: scheme });
  await showOperation('moderations.create');
  expect(await page.evaluate(pale)).toEqual([]);
});

test('it fits a phone', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  await showOperation('moderations.create');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
