import { renderReport } from '@agonhq/core/app';
import { beforeAll, describe, expect, test } from 'vitest';
import { analysisFixtures, quarterlyAnalysis } from '@agonhq/test/fixtures/analyses.ts';
import {
  harmlessLike,
  look,
  open,
  payloads,
  structure,
  useBrowser,
  walk,
  type Opened,
} from '@agonhq/test/support/report-page.ts';
import type { Analysis } from '@agonhq/documents';
import { sampleCases } from '@agonhq/test/support/slow.ts';
import { expectAccessible } from './support/console.ts';

useBrowser();

/** The claims, and the documents. */
const panes = "'section[tabindex]'";

const render = (analysis: Analysis) => renderReport(analysis, 'html');

/** What points from one part of a trace to another. A document's text is left alone too: everything points into it. */
const shape = new Set([
  'kind',
  'role',
  'label',
  'tool',
  'of',
  'source',
  'id',
  'key',
  'seat',
  'name',
  'method',
  'job',
  'block',
  'check',
  'outcome',
  'hash',
  'quote',
  'text',
  'strength',
  'evidence',
  'sheet',
]);

/** A trace whose documents say the payload too, in the place of their own letters: offsets stay. */
const attacked = (payload: string): Analysis => {
  const changed = walk(quarterlyAnalysis, (text, key) => (shape.has(key) ? text : text + payload));
  return {
    ...changed,
    documents: changed.documents.map((document) => ({
      ...document,
      text: document.text.replace(
        'The board has declared a dividend of USD 0.12 per share, payable in December.',
        (words) => payload.slice(0, words.length).padEnd(words.length, 'x'),
      ),
    })),
  };
};

describe('a payload in the trace', () => {
  test.each(sampleCases(payloads, 3).map((payload) => [payload.replace(/[^ -~]/g, '·'), payload] as const))(
    'runs nothing and makes no element, attribute or address: %s',
    async (_title, payload) => {
      const expected = await structure((await open(await render(attacked(harmlessLike(payload))))).page);
      const { page, requests, alarms } = await open(await render(attacked(payload)));
      await page.mouse.move(300, 300);
      expect([...alarms, ...requests]).toEqual([]);
      const found = await structure(page);
      expect(found).toEqual(expected);
      expect(
        found.addresses.every((address) => /^#[a-z]+(?:-\d+(?:-[a-z]+(?:-\d+(?:-[a-z]+)?)?)?)?$/.test(address)),
      ).toBe(true);
    },
  );
});

describe.each(Object.entries(analysisFixtures))('the page of %s', (_, analysis) => {
  let report: Opened;
  beforeAll(async () => {
    report = await open(await render(analysis));
    await report.page.evaluate(`document.querySelectorAll('details').forEach((exchange) => { exchange.open = true; })`);
  });

  test.each([
    ['a phone', 360],
    ['a narrow phone', 320],
    ['a desk', 1280],
  ])('fits the width of %s, and asks nothing of the network', async (_device, width) => {
    await look({ width });
    expect(await report.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(
      await report.page.evaluate(
        `[...document.querySelectorAll(${panes})].filter((pane) => pane.scrollWidth > pane.clientWidth + 1).length`,
      ),
    ).toBe(0);
    expect([...report.requests, ...report.alarms]).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('can be read in %s by everybody', async (scheme) => {
    await look({ scheme });
    await expectAccessible(report.page);
  });
});

test('a page of seven claims on two documents has at most 200 kB', async () => {
  expect(Buffer.byteLength(await render(quarterlyAnalysis))).toBeLessThan(200_000);
});

test('words without a break do not widen the page on a phone', async () => {
  const long = walk(quarterlyAnalysis, (text, key) => (shape.has(key) ? text : text + 'W'.repeat(400)));
  const { page } = await open(await render(long), { width: 360 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
});

const inView = (selector: string) => `(() => {
  const { top, bottom, left, right } = document.querySelector('${selector}').getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
})()`;

test('claims and documents stand side by side on a desk, and a jump in one leaves the other where it is', async () => {
  const { page } = await open(await render(quarterlyAnalysis));
  const [claims, documents] = await page.evaluate<[number, number]>(
    `[...document.querySelectorAll(${panes})].map((pane) => pane.getBoundingClientRect().left)`,
  );
  expect(claims).toBeLessThan(documents - 300);
  await page.click('#claim-3 > div > details > summary');
  await page.click('#claim-3-attack-1 > p a[href^="#mark-"]');
  expect(await page.evaluate(`document.querySelector(':target').previousElementSibling.textContent`)).toBe('.');
  expect(await page.evaluate(inView(':target'))).toBe(true);
  expect(
    await page.evaluate(
      "document.querySelector('#claim-3-attack-1').getBoundingClientRect().bottom > 0 && " +
        "document.querySelector('#claim-3-attack-1').getBoundingClientRect().top < innerHeight",
    ),
  ).toBe(true);
});

test('a jump outlines the whole attacked sentence, also where other passages cut it into pieces', async () => {
  const { page } = await open(await render(quarterlyAnalysis));
  await page.click('#claim-1 > div > details > summary');
  await page.click('#claim-1-attack-1 > p a[href^="#mark-"]');
  const aimed = () =>
    page.evaluate<string>(
      `[...document.querySelectorAll('mark')].filter((mark) => getComputedStyle(mark).outlineStyle !== 'none')` +
        `.map(({ textContent }) => textContent).join('')`,
    );
  expect((await aimed()).length).toBeGreaterThan(20);
  expect(quarterlyAnalysis.documents[0]!.text).toContain(await aimed());
  await page.evaluate(`location.hash = '#claim-1'`);
  await expect.poll(aimed).toBe('');
});

test('the page can be walked by keyboard: links, exchanges and scrolling parts take the focus, and it shows', async () => {
  const { page } = await open(await render(quarterlyAnalysis));
  await page.focus('#claim-1 summary');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(`document.querySelector('#claim-1 details').open`)).toBe(true);
  const unnamed = await page.evaluate(
    "[...document.querySelectorAll('a, button, summary, [tabindex], [role=region], [role=img]')].filter((part) => " +
      "!(part.getAttribute('aria-label') ?? part.textContent).trim()).length",
  );
  expect(unnamed).toBe(0);
  const labels = await page.evaluate<string[]>(
    "[...document.querySelectorAll('section[aria-label], [role=region]')].map((part) => " +
      "part.getAttribute('aria-label'))",
  );
  expect(new Set(labels).size).toBe(labels.length);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).not.toBe('none');
  const levels = await page.evaluate<number[]>(
    `[...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]))`,
  );
  expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
});

test('on a phone the documents come after the claims', async () => {
  const { page } = await open(await render(quarterlyAnalysis), { width: 360 });
  const [claims, documents] = await page.evaluate<[number, number]>(
    `[...document.querySelectorAll(${panes})].map((pane) => pane.getBoundingClientRect().top)`,
  );
  expect(documents).toBeGreaterThan(claims + 1000);
});

test('a mark leads back into a closed debate, which opens', async () => {
  const { page } = await open(await render(quarterlyAnalysis));
  const isOpen = () => page.evaluate(`document.querySelector('#claim-2-attack-2').closest('details').open`);
  expect(await isOpen()).toBe(false);
  await page.click('sup a[href="#claim-2-attack-2"]');
  expect(await isOpen()).toBe(true);
  expect(await page.evaluate(inView('#claim-2-attack-2 > p'))).toBe(true);
});

test('the documents on the page say what was read, character by character', async () => {
  const { page } = await open(await render(quarterlyAnalysis));
  const shown = await page.evaluate(`[...document.querySelectorAll('article[id^="document-"]')].map((document) =>
    [...document.querySelectorAll('[data-block]')].map((block) => {
      const copy = block.cloneNode(true);
      copy.querySelectorAll('sup, caption').forEach((extra) => extra.remove());
      const table = copy.querySelector('table');
      const cells = (row) => [...row.cells].map((cell) => cell.textContent + ' | '.repeat(cell.colSpan - 1)).join(' | ');
      return table ? [...table.rows].map(cells).join('\\n') : copy.textContent;
    }).join('\\n\\n'))`);
  expect(shown).toEqual(quarterlyAnalysis.documents.map(({ text }) => text));
});

test('on paper everything is there: in one column, debates open, nothing cut off', async () => {
  const { page } = await open(await render(quarterlyAnalysis), { scheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.evaluate(`getComputedStyle(document.documentElement).color`)).toBe('rgb(34, 36, 42)');
  expect(
    await page.evaluate(
      `[...document.querySelectorAll('[role=region], ' + ${panes})].every((part) => ` +
        "getComputedStyle(part).overflowX === 'visible')",
    ),
  ).toBe(true);
  expect(
    await page.evaluate(`document.querySelector('#claim-2-attack-2').getBoundingClientRect().height`),
  ).toBeGreaterThan(20);
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(20_000);
});
