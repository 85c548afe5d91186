import { expect, test } from 'vitest';
import { surviveQueueOrdeal } from '../support/queue-ordeal.ts';

/** `npm run bench:queue -- ordeal` does it with 20,000. */
const items = 1_000;

test('workers killed with SIGKILL, one stopped and continued, PostgreSQL switched off twice: every item has exactly one result', async () => {
  expect(await surviveQueueOrdeal(items)).toMatchObject({
    results: items,
    keys: items,
    cases: items,
    casesOnRecord: items,
    failed: 0,
    killed: 4,
    restarts: 2,
  });
}, 200_000);
