import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startChromium } from './chromium.ts';

/* Opens reports in a browser, and tells what they ask of the network and what they let run. */

/** The one page of a file's tests: to make another takes longer than to open a report. */
let page: Page;
let folder: string;
let own: string;
let opened = 0;
let heard: Omit<Opened, 'page'>;

/** Opens a page before the tests of a file, and closes it after them. */
export function useBrowser(): void {
  let context: BrowserContext;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agon-report-'));
    context = await (await startChromium()).newContext();
    page = await context.newPage();
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== own && !request.url().startsWith('data:image/png'))
        heard.requests.push(request.url());
    });
    page.on('console', (message) => heard.alarms.push(message.text()));
    page.on('pageerror', (error) => heard.alarms.push(error.message));
    page.on('dialog', (dialog) => {
      heard.alarms.push(dialog.message());
      void dialog.dismiss();
    });
  }, 60_000);
  afterAll(async () => {
    await context?.close();
    rmSync(folder, { recursive: true });
  });
}

export interface Opened {
  page: Page;
  requests: string[];
  alarms: string[];
}

interface Look {
  width?: number;
  scheme?: 'light' | 'dark';
}

/** Opens a report in the place of the one before it. */
export async function open(report: string, how: Look = {}): Promise<Opened> {
  opened += 1;
  const file = join(folder, `report-${opened}.html`);
  writeFileSync(file, report);
  own = pathToFileURL(file).href;
  heard = { requests: [], alarms: [] };
  await look(how);
  await page.goto(own);
  return { page, ...heard };
}

/** Shows the open report on another screen. */
export async function look({ width = 1280, scheme = 'light' }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ media: null, colorScheme: scheme });
}

/** Every element with the names of its attributes, and every address on the page. */
export const structure = (page: Page): Promise<{ elements: string[]; addresses: string[] }> =>
  page.evaluate(`({
  elements: [...document.querySelectorAll('*')].map((element) => element.tagName + ' ' + element.getAttributeNames().join(' ')),
  addresses: [...document.querySelectorAll('[href],[src],[action],[style]')].map((element) =>
    element.getAttribute('href') ?? element.getAttribute('src') ?? element.getAttribute('style')),
})`);

export const payloads = [
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

/** Harmless, as long as a payload, and with as many characters that are shown by name. */
export const harmlessLike = (payload: string): string =>
  Array.from(payload, (character) => (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(character) ? '\u200b' : 'x')).join('');

/** The same value with every string in it, and every name that is not the shape's own, changed. */
export function walk<Value>(value: Value, change: (text: string, key: string) => string, key = ''): Value {
  if (typeof value === 'string') return change(value, key) as Value;
  if (Array.isArray(value)) return value.map((member: unknown) => walk(member, change, key)) as Value;
  if (value === null || typeof value !== 'object') return value;
  const named = ['byModel', 'bySeat', 'models'].includes(key);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [named ? change(name, key) : name, walk(member, change, name)]),
  ) as Value;
}

/** The texts of a page, in HTML and in its drawings, that stand out too little from what is behind them. */
export const pale = `(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dim, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dim + 0.05);
  };
  const ground = (element) => {
    if (element.matches('.ordinal')) return parse(getComputedStyle(element.previousElementSibling).fill);
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const spoken = [...document.querySelectorAll('body *')].filter((element) => !element.closest('desc, title, mark') &&
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''));
  return spoken.filter((element) => {
    const style = getComputedStyle(element);
    return contrast(parse(element.closest('svg') ? style.fill : style.color), ground(element)) < 4.5;
  }).map((element) => element.className?.baseVal ?? element.outerHTML.slice(0, 80));
})()`;
