import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { measureSlack } from '@agonhq/test/support/measure-slack.ts';
import { fillRuns, manyRuns } from '@agonhq/lab/bench/many-items.ts';
import { isWhole } from '@agonhq/test/support/slow.ts';
import { measured, useConsole } from './support/console.ts';

/* A run of many items: 50,000 where all tests are run, fewer else. */

const items = isWhole ? 50_000 : 1_000;
/** The row to which somebody scrolls. */
const far = isWhole ? 720 : 240;
const stage = useConsole({ seed: ({ ledger }) => fillRuns(ledger, items) });

/** How long the server took for a page of items, as the browser saw it, and how many matched. */
async function asked(page: Page, change: () => Promise<unknown>): Promise<{ ms: number; total: number }> {
  let total = -1;
  const isPage = async (one: Response) => {
    if (!one.url().includes('/items?') || one.url().includes('after=')) return false;
    // One that was replaced by the next before it was read has no body.
    ({ total } = (await one.json().catch(() => ({ total: -1 }))) as { total: number });
    return total >= 0;
  };
  const [response] = await Promise.all([page.waitForResponse(isPage), change()]);
  const { requestStart, responseEnd } = response.request().timing();
  return { ms: responseEnd - requestStart, total };
}

test('a run of many items is searched, filtered, put in order and held against another, a page at a time', async () => {
  const page = await stage.visit(`/evaluations/runs/${manyRuns.before}`, { width: 1440 });
  page.setDefaultTimeout(60_000);
  await page.getByText(`${items.toLocaleString('en-GB')} of`).waitFor({ timeout: 60_000 });
  const steps: [string, () => Promise<unknown>, number][] = [
    ['a rare word', () => page.getByLabel('Search items').fill('zymurgy'), items / 1_000],
    ['a verdict too', () => page.getByLabel('Verdict', { exact: true }).selectOption('unsafe'), -1],
    ['the slowest first', () => page.getByLabel('Order').selectOption('latency desc'), -1],
    ['beside another run', () => page.getByLabel('Beside').selectOption(manyRuns.after), -1],
    ['a frequent word', () => page.getByLabel('Search items').fill('ribbon'), -1],
    ['what flipped of it', () => page.getByLabel('Changes').selectOption('flipped'), -1],
  ];
  for (const [what, change, matching] of steps) {
    const { ms, total } = await asked(page, change);
    measured(`${items} items, ${what}`, `${ms.toFixed(0)} ms, ${total} match`);
    if (matching >= 0) expect(total).toBe(matching);
    // Of few items none may be left.
    else expect(total).toBeGreaterThan(isWhole ? 0 : -1);
    // On a machine of its own a page takes less than 200 ms; this one is shared.
    expect(ms / (await measureSlack(page)), what).toBeLessThan(2_000);
  }
}, 600_000);

test('only what is on the screen is in the page, however far somebody scrolls', async () => {
  const page = await stage.visit(`/evaluations/runs/${manyRuns.before}`, { width: 1440 });
  await page.getByRole('table', { name: 'Items' }).waitFor({ timeout: 60_000 });
  const { rows, last, slowest } = await page.evaluate<{ rows: number; last: number; slowest: number }>(scrollThrough);
  measured(`${items} items, scrolled to row ${last}`, `at most ${rows} rows in the page, slowest frame ${slowest} ms`);
  expect(last).toBeGreaterThan(far - 20);
  expect(rows).toBeLessThan(60);
}, 300_000);

const scrollThrough = `new Promise((resolve) => {
  let rows = 0;
  let last = 0;
  let slowest = 0;
  let frames = 0;
  let before = performance.now();
  const frame = (now) => {
    slowest = Math.max(slowest, Math.round(now - before));
    before = now;
    const shown = [...document.querySelectorAll('[data-row]')];
    rows = Math.max(rows, shown.length);
    last = Math.max(last, ...shown.map((row) => Number(row.dataset.row)));
    if (last > ${far} || (frames += 1) > 2000) return resolve({ rows, last, slowest });
    scrollBy(0, 300);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;
