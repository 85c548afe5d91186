import type { Page } from 'playwright-core';

/**
 * How many times slower a page's machine is than one that nobody else uses: bounds on times are multiplied by it, so
 * that they say something about the page and not about its neighbours.
 */
export async function measureSlack(page: Page): Promise<number> {
  return Math.max(1, (await page.evaluate<number>(loopMs)) / 40);
}

/** How long some counting takes: 20 ms or so where nobody else counts. */
const loopMs = `(() => {
  const took = [1, 2, 3].map(() => {
    const began = performance.now();
    let sum = 0;
    for (let number = 0; number < 2e7; number += 1) sum = (sum + number) | 0;
    return performance.now() - began + (sum === 0.5 ? 1 : 0);
  });
  return took.sort((one, other) => one - other)[1];
})()`;
