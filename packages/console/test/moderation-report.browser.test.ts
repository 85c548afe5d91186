import { renderReport } from '@agonhq/core/app';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerFixtures, pictureFixture, policyFixture, unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
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
import { sampleCases } from '@agonhq/test/support/slow.ts';

import { expectAccessible } from './support/console.ts';

useBrowser();

const render = (answer: typeof unsafeAnswer, policy = policyFixture) =>
  renderReport(answer, 'html', { policy, images: { 'image-1': pictureFixture } });

/* What the report is laid out by: when it is attacked too, less of the page is reached, so both are tried. */
const shape = new Set(['kind', 'role', 'label', 'tool', 'of', 'source', 'id', 'key', 'job']);

describe.each([
  ['every string but those that the page is laid out by', (key: string) => !shape.has(key)],
  ['every string', (key: string) => key !== 'job'],
])('a payload in %s of the answer and of the policy', (_, attacked) => {
  test.each(sampleCases(payloads, 3).map((payload) => [payload.replace(/[^ -~]/g, '·'), payload] as const))(
    'runs nothing and makes no element, attribute or address: %s',
    async (_title, payload) => {
      const append = (ending: string) => (text: string, key: string) => (attacked(key) ? text + ending : text);
      const harmless = harmlessLike(payload);
      const expected = await structure(
        (await open(await render(walk(unsafeAnswer, append(harmless)), walk(policyFixture, append(harmless))))).page,
      );
      const { page, requests, alarms } = await open(
        await render(walk(unsafeAnswer, append(payload)), walk(policyFixture, append(payload))),
      );
      await page.mouse.move(300, 300);
      expect([...alarms, ...requests]).toEqual([]);
      const found = await structure(page);
      expect(found).toEqual(expected);
      expect(
        found.addresses.every((address) =>
          /^#[a-z]+(?:-\d+)?$|^data:image\/png|^(?:width:|left:calc\()\d+%(?: - 1px\))?$/.test(address),
        ),
      ).toBe(true);
    },
  );
});

describe.each(Object.entries(answerFixtures))('the report of %s', (_, answer) => {
  let report: Opened;
  beforeAll(async () => void (report = await open(await render(answer))));

  test.each([
    ['a phone', 390],
    ['a narrow phone', 320],
    ['a desk', 1280],
  ])('fits the width of %s', async (_device, width) => {
    await look({ width });
    expect(await report.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect([...report.requests, ...report.alarms]).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('can be read by everybody in %s', async (scheme) => {
    await look({ scheme });
    await expectAccessible(report.page);
  });
});

test('words without a break do not widen the page on a phone', async () => {
  const { page } = await open(
    await render(
      walk(unsafeAnswer, (text, key) => (key === 'job' ? text : text + 'W'.repeat(400))),
      walk(policyFixture, (text) => text + 'W'.repeat(400)),
    ),
    { width: 390 },
  );
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a number leads to the argument that quotes the passage, and the argument’s number back to the passage', async () => {
  const { page } = await open(await render(unsafeAnswer));
  await page.click('#mark-1 a');
  expect(await page.evaluate(`document.querySelector(':target').innerText`)).toContain('Strict debater');
  await page.click(':target a[href="#mark-1"]');
  expect(await page.evaluate(`document.querySelector(':target').id`)).toBe('mark-1');
});

test('the page follows the reader’s choice of light or dark', async () => {
  const { page } = await open(await render(unsafeAnswer));
  const grounds: unknown[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await look({ scheme });
    grounds.push(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'));
  }
  expect(grounds).toEqual(['rgb(250, 248, 244)', 'rgb(22, 24, 29)']);
});

test('the source on the page is the source that was judged, character by character', async () => {
  const { page } = await open(await render(unsafeAnswer));
  const shown = await page.evaluate(`(() => {
    const source = document.querySelector('section[aria-label="Text, text"] p').cloneNode(true);
    source.querySelectorAll('sup').forEach((reference) => reference.remove());
    source.querySelectorAll('bdi').forEach((chip) => chip.replaceWith(String.fromCodePoint(parseInt(chip.textContent.slice(2), 16))));
    return source.textContent;
  })()`);
  expect(shown).toBe(unsafeAnswer.sources[0]!.text);
});

test('a picture is covered until its box is ticked', async () => {
  const { page } = await open(await render(unsafeAnswer));
  const filter = () => page.evaluate<string>(`getComputedStyle(document.querySelector('main img')).filter`);
  expect(await filter()).toContain('blur');
  await page.getByLabel('Show the image').check();
  await expect.poll(filter).not.toMatch(/blur\([1-9]/);
});
