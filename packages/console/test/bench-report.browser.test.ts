import { beforeAll, describe, expect, test } from 'vitest';
import { measureSlack } from '@agonhq/test/support/measure-slack.ts';
import { makeUpResult, measureMadeUp } from '@agonhq/test/support/made-up-result.ts';
import {
  harmlessLike,
  look,
  open,
  pale,
  payloads,
  structure,
  useBrowser,
  walk,
  type Opened,
} from '@agonhq/test/support/report-page.ts';
import { renderBenchPage } from '@agonhq/bench';
import type { BenchResult } from '@agonhq/bench/result';
import { sampleCases } from '@agonhq/test/support/slow.ts';

useBrowser();

const letters = makeUpResult({ items: 60 });
/** As few as still make every part of the page. */
const fewLetters = makeUpResult({ items: 35 });
const claims = makeUpResult({
  title: 'Village claims',
  job: 'documents',
  classes: ['entailed', 'refuted', 'neutral'],
  positive: null,
  items: 30,
  seed: 3,
  repeats: 2,
  raters: true,
});
const render = (...results: readonly BenchResult[]) =>
  renderBenchPage(results.map(measureMadeUp), {
    title: 'Letters and claims',
    times: true,
    about: [{ name: 'File', value: 'bench.yaml' }],
  });
const page = await render(letters, claims);

/* What the page is laid out by; names that two parts of the result share are changed alike. */
const shape = new Set([
  'kind',
  'gold',
  'said',
  'positive',
  'classes',
  'trained',
  'modality',
  'invalid',
  'job',
  'metric',
  'raters',
  'label',
]);

test.each(sampleCases(payloads, 3).map((payload) => [payload.replace(/[^ -~]/g, '·'), payload] as const))(
  'a payload in every name and text runs nothing and makes no element, attribute or address: %s',
  async (_title, payload) => {
    const append = (ending: string) => (text: string, key: string) => (shape.has(key) ? text : text + ending);
    const expected = await structure((await open(await render(walk(fewLetters, append(harmlessLike(payload)))))).page);
    const { page: tab, requests, alarms } = await open(await render(walk(fewLetters, append(payload))));
    await tab.mouse.move(300, 300);
    expect([...alarms, ...requests]).toEqual([]);
    const found = await structure(tab);
    expect(found.elements).toEqual(expected.elements);
    expect(found.addresses.every((address) => /^#(?:set|item)-\d+(?:-\d+)?$|^--shade:\d+%$/.test(address))).toBe(true);
  },
);

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  let report: Opened;
  beforeAll(async () => {
    report = await open(page, { scheme });
    await report.page.evaluate(`document.querySelectorAll('details').forEach((details) => { details.open = true; })`);
  });

  test.each([
    ['a phone', 390],
    ['a narrow phone', 320],
    ['a desk', 1280],
  ])('the page fits the width of %s, with everything opened', async (_device, width) => {
    await look({ width, scheme });
    expect(await report.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect([...report.requests, ...report.alarms]).toEqual([]);
  });

  test('every text stands out from its ground', async () => {
    const { page: tab } = await open(page, { scheme });
    await tab.evaluate(`document.querySelectorAll('details').forEach((details) => { details.open = true; })`);
    // Mixed colours are written as color(srgb …), which the measure does not read; and what cannot be chosen may be
    // pale.
    await tab.evaluate(`document.querySelectorAll('td[style], select').forEach((cell) => cell.remove())`);
    expect(await tab.evaluate(pale)).toEqual([]);
  });
});

test('words without a break do not widen the page on a phone', async () => {
  const { page: tab } = await open(
    await render(walk(letters, (text, key) => (shape.has(key) ? text : text + 'W'.repeat(400)))),
    { width: 390 },
  );
  await tab.evaluate(`document.querySelectorAll('details').forEach((details) => { details.open = true; })`);
  expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a heading sorts its table by click and by key, and says so', async () => {
  const { page: tab } = await open(page);
  const scores = tab.getByRole('region', { name: 'Scores, set 1' });
  const accuracy = scores.getByRole('columnheader', { name: 'Accuracy', exact: true });
  const column = async () =>
    await scores
      .locator('tbody tr td:nth-of-type(1)')
      .evaluateAll((cells: { getAttribute(name: string): string | null }[]) =>
        cells.map((cell) => Number(cell.getAttribute('data-sort'))),
      );
  expect(await accuracy.getAttribute('aria-sort')).toBe('none');
  await accuracy.getByRole('button').click();
  expect(await accuracy.getAttribute('aria-sort')).toBe('descending');
  expect(await column()).toEqual((await column()).toSorted((a, b) => b - a));
  await accuracy.getByRole('button').press('Enter');
  expect(await accuracy.getAttribute('aria-sort')).toBe('ascending');
  expect(await column()).toEqual((await column()).toSorted((a, b) => a - b));
  await scores.getByRole('columnheader', { name: 'System' }).getByRole('button').click();
  expect(await accuracy.getAttribute('aria-sort')).toBe('none');
  const names = await scores.locator('tbody th').allInnerTexts();
  expect(names).toEqual(names.toSorted());
});

test('items are filtered by what is wrong with them, by system and by words', async () => {
  const { page: tab } = await open(page);
  const items = tab.locator('.items').first();
  const told = () => items.locator('output').innerText();
  expect(await told()).toBe('60 of 60');
  expect(await items.locator('.item:visible').count()).toBe(30);
  await items.getByRole('button', { name: 'Show more' }).click();
  expect(await items.locator('.item:visible').count()).toBe(60);

  const [said, gold] = [
    letters.systems[4]!.repeats[0]!.map((outcome) => outcome.said),
    letters.items.map((item) => item.gold),
  ];
  await items.locator('.kind').selectOption('wrong');
  await items.locator('.by').selectOption({ label: 'guard' });
  expect(await told()).toBe(`${said.filter((label, place) => label !== gold[place]).length} of 60`);

  await items.locator('.kind').selectOption('changed');
  expect(await told()).toBe(
    `${letters.systems[0]!.repeats[0]!.filter(({ opening, said: end }) => opening !== null && opening.said !== end).length} ` +
      'of 60',
  );

  await items.locator('.kind').selectOption('all');
  await items.getByLabel('containing').fill('LETTER-007');
  expect(await told()).toBe('1 of 60');
});

test('a link to an item opens it, even when a filter hides it', async () => {
  const { page: tab } = await open(page);
  await tab.locator('.items').first().getByLabel('containing').fill('nothing of the kind');
  await tab
    .locator('.receipt details')
    .first()
    .evaluate((details: { open: boolean }) => {
      details.open = true;
    });
  const link = tab.locator('.receipt a').first();
  const address = await link.getAttribute('href');
  await link.click();
  await expect.poll(() => tab.evaluate(`document.querySelector('${address}').open`)).toBe(true);
  expect(await tab.locator(address!).locator('.transcript').isVisible()).toBe(true);
});

test('without its script the page is whole: plain tables, all items, no filter', async () => {
  const bare = page.replace(/<script>[^]*<\/script>/, '');
  const { page: tab, alarms } = await open(bare);
  expect(await tab.locator('.filters:visible').count()).toBe(0);
  expect(await tab.locator('.item:visible').count()).toBe(90);
  expect(await tab.locator('th button').count()).toBe(0);
  expect(alarms).toEqual([]);
});

test('five hundred items under five systems make a page below 4 MB that is there within a second or so', async () => {
  const large = await render(
    makeUpResult({
      items: 500,
      systems: makeUpResult({ items: 1 })
        .systems.slice(0, 5)
        .map(({ name, kind, of, rounds }) => ({
          name,
          kind,
          skill: 1.5,
          ...(of && { of }),
          ...(rounds && { rounds }),
          tokens: 800,
        })),
    }),
  );
  expect(large.length).toBeLessThan(4_000_000);
  expect(large).toContain('100 transcripts left out to keep this page small: --json has all.');
  const { page: tab } = await open(large);
  const loaded = await tab.evaluate(`performance.getEntriesByType('navigation')[0].loadEventEnd`);
  expect(Number(loaded) / (await measureSlack(tab))).toBeLessThan(5_000);
});
