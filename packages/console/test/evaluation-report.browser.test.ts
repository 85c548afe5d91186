import { renderReport } from '@agonhq/core/app';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  evaluationFixtures,
  evaluationPolicyFixture,
  implicitAnswer,
} from '@agonhq/test/fixtures/evaluation-answers.ts';
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

const render = (answer: typeof implicitAnswer, policy = evaluationPolicyFixture) =>
  renderReport(answer, 'html', { policy });

/* What the report is laid out by: when it is attacked too, less of the page is reached, so both are tried. */
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
  'to',
  'concept',
  'method',
  'job',
]);

describe.each([
  ['every string but those that the page is laid out by', (key: string) => !shape.has(key)],
  ['every string', (key: string) => key !== 'job'],
])('a payload in %s of the evaluation and of the policy', (_, attacked) => {
  test.each(sampleCases(payloads, 3).map((payload) => [payload.replace(/[^ -~]/g, '·'), payload] as const))(
    'runs nothing and makes no element, attribute or address: %s',
    async (_title, payload) => {
      const append = (ending: string) => (text: string, key: string) => (attacked(key) ? text + ending : text);
      const harmless = harmlessLike(payload);
      const expected = await structure(
        (
          await open(
            await render(walk(implicitAnswer, append(harmless)), walk(evaluationPolicyFixture, append(harmless))),
          )
        ).page,
      );
      const { page, requests, alarms } = await open(
        await render(walk(implicitAnswer, append(payload)), walk(evaluationPolicyFixture, append(payload))),
      );
      await page.mouse.move(300, 300);
      expect([...alarms, ...requests]).toEqual([]);
      const found = await structure(page);
      expect(found).toEqual(expected);
      expect(
        found.addresses.every((address) =>
          /^#[a-z]+(?:-\d+)?$|^(?:width:|left:calc\()\d+%(?: - 1px\))?$/.test(address),
        ),
      ).toBe(true);
    },
  );
});

describe.each(Object.entries(evaluationFixtures))('the page of %s', (_, answer) => {
  let report: Opened;
  beforeAll(async () => void (report = await open(await render(answer))));

  test.each([
    ['a phone', 360],
    ['a narrow phone', 320],
    ['a desk', 1280],
  ])('fits the width of %s, and asks nothing of the network', async (_device, width) => {
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
  const long = (text: string, key: string) => (key === 'job' ? text : text + 'W'.repeat(400));
  const { page } = await open(await render(walk(implicitAnswer, long), walk(evaluationPolicyFixture, long)), {
    width: 360,
  });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
});

test('a number leads to who quotes the passage, and that number back to the passage', async () => {
  const { page } = await open(await render(implicitAnswer));
  await page.click('#mark-1 a');
  expect(await page.evaluate(`document.querySelector(':target').innerText`)).toContain('Detector 1');
  await page.click(':target a[href="#mark-1"]');
  expect(await page.evaluate(`document.querySelector(':target').id`)).toBe('mark-1');
});

test('the drawing has a name and a description, and its marks lie within it', async () => {
  const { page } = await open(await render(implicitAnswer), { width: 360 });
  const outside = await page.evaluate(`(() => {
    const frame = document.querySelector('svg[aria-describedby]').getBoundingClientRect();
    return [...document.querySelectorAll('svg[aria-describedby] *')].map((element) => element.getBoundingClientRect())
      .filter(({ left, right, top, bottom, width }) => width > 0 && (left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1)).length;
  })()`);
  expect(outside).toBe(0);
  expect(await page.getByRole('img', { name: /Where each role sees the risk/ }).count()).toBe(1);
});

test('the exchange on the page is the exchange that was judged, character by character', async () => {
  const { page } = await open(await render(implicitAnswer));
  const shown =
    await page.evaluate(`['User, prompt', 'Assistant, the answer, response'].map((name) => document.querySelector('section[aria-label="' + name + '"] p')).map((source) => {
    const copy = source.cloneNode(true);
    copy.querySelectorAll('sup').forEach((reference) => reference.remove());
    return copy.textContent;
  })`);
  const said = (id: string) => implicitAnswer.sources.find((source) => source.id === id)!.text;
  expect(shown).toEqual([said('prompt'), said('response')]);
});

test('on paper the page has light grounds, whatever the screen has, and nothing is cut off', async () => {
  const { page } = await open(await render(implicitAnswer), { scheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.evaluate(`getComputedStyle(document.body).color`)).toBe('rgb(34, 36, 42)');
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('[role=region], p')].every((part) => getComputedStyle(part).overflowX === " +
        "'visible')",
    ),
  ).toBe(true);
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
});
