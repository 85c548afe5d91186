import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findJobVerifier } from '@agonhq/core/app';
import { bundleCase, openSigningKey, readPublicKeys, verifyBundle } from '@agonhq/ledger/bundle';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Ledger } from '@agonhq/ledger';
import { findAnswered, newHome, newSigningKey, openBundledLedger } from '@agonhq/test/support/bundled-case.ts';
import { recordJobs } from '@agonhq/test/support/bundled-jobs.ts';
import { startChromium } from '@agonhq/test/support/chromium.ts';
import { expectAccessible, picture } from './support/console.ts';

/* The page as it is shipped, opened from a disk: no server, no network. */

const root = path.join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'agon-verifier-'));
const at = (name: string) => path.join(folder, name);
const secret = 'a-secret-of-the-tests-that-is-long-enough';
const jobs = ['moderation', 'evaluation', 'documents'] as const;
let browser: Browser;
let ledger: Ledger;
let alarms: string[] = [];

beforeAll(async () => {
  writeFileSync(at('verifier.html'), readFileSync(path.join(root, 'dist', 'console', 'verifier.html')));
  ledger = await openBundledLedger();
  const key = await openSigningKey(newHome());
  const cases = await recordJobs(ledger, secret);
  for (const job of jobs) {
    const record = await findAnswered(ledger, cases[job]);
    writeFileSync(at(`${job}.agon.zip`), (await bundleCase(ledger, record, { key })).bytes);
  }
  const redacted = await bundleCase(ledger, await findAnswered(ledger, cases.moderation), { key, redactWith: secret });
  writeFileSync(at('redacted.agon.zip'), redacted.bytes);
  writeFileSync(at('opening.json'), `${JSON.stringify(redacted.opening)}\n`);
  writeFileSync(at('issuer.pem'), key.publicKey);
  writeFileSync(at('other.pem'), (await newSigningKey()).publicKey);
  browser = await startChromium();
}, 120_000);
afterEach(() => {
  expect(alarms).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.close();
});

async function open(size = { width: 1440, height: 900 }, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  alarms = [];
  const context = await browser.newContext({ viewport: size, colorScheme, offline: true });
  const page = await context.newPage();
  const url = pathToFileURL(at('verifier.html')).href;
  page.on('request', (request) => {
    if (request.url() !== url) alarms.push(`asked ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') alarms.push(`said ${message.text()}`);
  });
  page.on('pageerror', (error) => alarms.push(`threw ${error.message}`));
  await page.goto(url);
  return page;
}

async function check(page: Page, bundle: string, { key, opening }: { key?: string; opening?: string } = {}) {
  if (key) await page.setInputFiles('#key', at(key));
  if (opening) await page.setInputFiles('#opening', at(opening));
  await page.setInputFiles('#bundle', at(bundle));
  await page.waitForSelector('#result h2, #result .invalid');
  await page.waitForSelector('#result:not([aria-busy])');
  return page.evaluate<{ heading: string; checks: { name: string; outcome: string; detail: string }[] }>(
    `({
      heading: document.querySelector('#result h2, #result .invalid').textContent,
      checks: [...document.querySelectorAll('.checks li')].map((each) => ({
        name: each.querySelector('b').textContent,
        outcome: each.className,
        detail: each.querySelector('span:last-child').textContent,
      })),
    })`,
  );
}

describe('the verifier page, from a disk and offline', () => {
  test.each(jobs)('says of a bundle of %s what agon verify says', async (job) => {
    const page = await open();
    const found = await check(page, `${job}.agon.zip`, { key: 'issuer.pem' });
    expect(found.heading).toBe('The bundle is valid.');
    const { checks } = await verifyBundle(readFileSync(at(`${job}.agon.zip`)), {
      keys: await readPublicKeys(readFileSync(at('issuer.pem'), 'utf8')),
      findVerifier: findJobVerifier(ownJobs),
    });
    // It does not read documents again.
    const expected = checks.map((each) => (each.name === 'files' ? expect.objectContaining({ name: 'files' }) : each));
    expect(found.checks).toEqual(expected);
    expect(found.checks.filter(({ outcome }) => outcome !== 'ok').map(({ name }) => name)).toEqual(
      job === 'documents' ? ['files'] : [],
    );
    await page.context().close();
  });

  test('finds a changed byte, wherever it is', async () => {
    const page = await open();
    const bytes = readFileSync(at('moderation.agon.zip'));
    for (const part of [0.01, 0.3, 0.6, 0.9, 0.999]) {
      const changed = Buffer.from(bytes);
      changed[Math.floor(bytes.length * part)]! ^= 1;
      writeFileSync(at('changed.agon.zip'), changed);
      expect((await check(page, 'changed.agon.zip', { key: 'issuer.pem' })).heading).toBe('The bundle is not valid.');
      await page.setInputFiles('#bundle', []);
    }
    await page.context().close();
  });

  test('tells the issuer’s key from another, and says when it has none', async () => {
    const page = await open();
    const without = await check(page, 'moderation.agon.zip');
    expect(without.checks.find(({ name }) => name === 'signer')).toMatchObject({ outcome: 'not-checked' });
    expect(await page.textContent('#result')).toContain('Who signed it is not known');
    await page.setInputFiles('#bundle', []);
    const other = await check(page, 'moderation.agon.zip', { key: 'other.pem' });
    expect(other.heading).toBe('The bundle is not valid.');
    await page.context().close();
  });

  test('opens a redacted bundle, and says what it cannot check of a closed one', async () => {
    const page = await open();
    const closed = await check(page, 'redacted.agon.zip', { key: 'issuer.pem' });
    expect(closed.checks.find(({ name }) => name === 'redacted')).toMatchObject({ outcome: 'not-checked' });
    await page.setInputFiles('#bundle', []);
    const opened = await check(page, 'redacted.agon.zip', { opening: 'opening.json' });
    expect(opened.checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['opening', 'seal', 'rules']));
    expect(opened.heading).toBe('The bundle is valid.');
    await page.context().close();
  });

  test('shows what a bundle is called as text, and runs nothing of it', async () => {
    const page = await open();
    writeFileSync(at('<img src=x onerror=alert(1)>.agon.zip'), readFileSync(at('evaluation.agon.zip')));
    await check(page, '<img src=x onerror=alert(1)>.agon.zip');
    expect(await page.textContent('.facts dd')).toBe('<img src=x onerror=alert(1)>.agon.zip');
    expect(await page.locator('#result img').count()).toBe(0);
    await page.context().close();
  });

  test('takes files that are dropped on it', async () => {
    const page = await open();
    const files = ['moderation.agon.zip', 'issuer.pem'].map((name) => ({
      name,
      data: readFileSync(at(name)).toString('base64'),
    }));
    await page.evaluate(
      `(async (files) => {
        const transfer = new DataTransfer();
        for (const { name, data } of files)
          transfer.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
      })(${JSON.stringify(files)})`,
    );
    await page.waitForSelector('#result h2.valid');
    expect(await page.textContent('#key-dropped')).toBe('issuer.pem');
    await page.context().close();
  });

  test.each([
    ['desk', { width: 1440, height: 900 }, 'light'],
    ['desk-dark', { width: 1440, height: 900 }, 'dark'],
    ['phone', { width: 390, height: 844 }, 'light'],
  ] as const)('can be read and used by everybody: %s', async (look, size, scheme) => {
    const page = await open(size, scheme);
    await expectAccessible(page);
    await check(page, 'documents.agon.zip');
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
    await picture(page, `verifier-${look}`);
    await page.context().close();
  });
});
