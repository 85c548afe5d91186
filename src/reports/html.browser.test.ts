import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerFixtures, pictureFixture, policyFixture, unsafeAnswer } from '../../test/fixtures/answers.ts';
import { renderReport } from './render.ts';

const folder = mkdtempSync(join(tmpdir(), 'agon-report-'));
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

interface Opened {
  page: Page;
  requests: string[];
  alarms: string[];
}

async function open(report: string, { width = 1280, scheme = 'light' }: { width?: number; scheme?: 'light' | 'dark' } = {}): Promise<Opened> {
  const file = join(folder, 'report.html');
  writeFileSync(file, report);
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const requests: string[] = [];
  const alarms: string[] = [];
  const own = pathToFileURL(file).href;
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== own && !request.url().startsWith('data:image/png')) requests.push(request.url());
  });
  page.on('console', (message) => alarms.push(message.text()));
  page.on('pageerror', (error) => alarms.push(error.message));
  page.on('dialog', (dialog) => {
    alarms.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(own);
  return { page, requests, alarms };
}

/** Every element with the names of its attributes, and every address on the page. */
const structure = (page: Page): Promise<{ elements: string[]; addresses: string[] }> => page.evaluate(`({
  elements: [...document.querySelectorAll('*')].map((element) => element.tagName + ' ' + element.getAttributeNames().join(' ')),
  addresses: [...document.querySelectorAll('[href],[src],[action],[style]')].map((element) =>
    element.getAttribute('href') ?? element.getAttribute('src') ?? element.getAttribute('style')),
})`);

const render = (answer: typeof unsafeAnswer, policy = policyFixture) =>
  renderReport(answer, 'html', { policy, images: { 'image-1': pictureFixture } });

const payloads = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  `' onmouseover='alert(1)' style='position:fixed`,
  '</style><script>alert(1)</script><style>*{background:url(http://example.org/)}',
  '</title></textarea></svg></table><iframe src=javascript:alert(1)>',
  'javascript:alert(1)',
  '<!--<svg/onload=alert(1)>',
  '&lt;img src=x onerror=alert(1)&gt;&#60;script&#62;',
  '\u202e\u2066\u0000\ud800]]><x>',
];

/** The same value with every string in it, and every name that is not the shape's own, changed. */
function walk<Value>(value: Value, change: (text: string, key: string) => string, key = ''): Value {
  if (typeof value === 'string') return change(value, key) as Value;
  if (Array.isArray(value)) return value.map((member: unknown) => walk(member, change, key)) as Value;
  if (value === null || typeof value !== 'object') return value;
  const named = ['byModel', 'bySeat', 'models'].includes(key);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [named ? change(name, key) : name, walk(member, change, name)])) as Value;
}

/* What the report is laid out by: when it is attacked too, less of the page is reached, so both are tried. */
const shape = new Set(['kind', 'role', 'label', 'tool', 'of', 'source', 'id', 'key']);

describe.each([
  ['every string but those that the page is laid out by', (key: string) => !shape.has(key)],
  ['every string', () => true],
])('a payload in %s of the answer and of the policy', (_, attacked) => {
  test.each(payloads.map((payload) => [payload.replace(/[^ -~]/g, '·'), payload] as const))('runs nothing and makes no element, attribute or address: %s', async (_title, payload) => {
    const append = (ending: string) => (text: string, key: string) => (attacked(key) ? text + ending : text);
    // Harmless, as long, and with as many characters that are shown by name.
    const harmless = Array.from(payload, (character) => (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(character) ? '\u200b' : 'x')).join('');
    const expected = await open(render(walk(unsafeAnswer, append(harmless)), walk(policyFixture, append(harmless))));
    const found = await open(render(walk(unsafeAnswer, append(payload)), walk(policyFixture, append(payload))));
    try {
      await found.page.mouse.move(300, 300);
      expect(found.alarms).toEqual([]);
      expect(found.requests).toEqual([]);
      expect(await structure(found.page)).toEqual(await structure(expected.page));
      expect((await structure(found.page)).addresses.every((address) => /^#[a-z]+(?:-\d+)?$|^data:image\/png|^width:\d+%$/.test(address))).toBe(true);
    } finally {
      await expected.page.close();
      await found.page.close();
    }
  });
});

describe.each(Object.entries(answerFixtures))('the report of %s', (_, answer) => {
  test.each([['a phone', 390], ['a narrow phone', 320], ['a desk', 1280]])('fits the width of %s', async (_device, width) => {
    const { page, requests, alarms } = await open(render(answer), { width });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect([...requests, ...alarms]).toEqual([]);
    await page.close();
  });
});

test('words without a break do not widen the page on a phone', async () => {
  const { page } = await open(render(walk(unsafeAnswer, (text) => text + 'W'.repeat(400)), walk(policyFixture, (text) => text + 'W'.repeat(400))), { width: 390 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.close();
});

test('a number leads to the argument that quotes the passage, and the argument’s number back to the passage', async () => {
  const { page } = await open(render(unsafeAnswer));
  await page.click('#mark-1 a');
  expect(await page.evaluate(`document.querySelector(':target').innerText`)).toContain('Strict debater');
  await page.click(':target a[href="#mark-1"]');
  expect(await page.evaluate(`document.querySelector(':target').id`)).toBe('mark-1');
  await page.close();
});

test('the page follows the reader’s choice of light or dark', async () => {
  const grounds: unknown[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    const { page } = await open(render(unsafeAnswer), { scheme });
    grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    await page.close();
  }
  expect(grounds).toEqual(['rgb(250, 248, 244)', 'rgb(22, 24, 29)']);
});

test('the source on the page is the source that was judged, character by character', async () => {
  const { page } = await open(render(unsafeAnswer));
  const shown = await page.evaluate(`(() => {
    const source = document.querySelector('.source').cloneNode(true);
    source.querySelectorAll('sup').forEach((reference) => reference.remove());
    source.querySelectorAll('.control').forEach((chip) => chip.replaceWith(String.fromCodePoint(parseInt(chip.textContent.slice(2), 16))));
    return source.textContent;
  })()`);
  expect(shown).toBe(unsafeAnswer.sources[0]!.text);
  await page.close();
});
