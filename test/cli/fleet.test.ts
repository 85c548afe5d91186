import { beforeAll, expect, test } from 'vitest';
import { ordeal, surviveOrdeal, type Ordeal } from '../support/fleet-ordeal.ts';
import { describeSlow } from '../support/slow.ts';

/*
 * Most of it is waiting, until the heartbeat of a stopped worker has run out: queue-ordeal.long.test.ts, whose heartbeats are
 * short, is what CI survives each time.
 */

/** `npm run bench:fleet -- ordeal` does it with 2,000. */
const items = 800;

describeSlow('three workers on a real server, one killed, one stopped and continued, the database restarted', () => {
  let came: Ordeal;

  beforeAll(async () => {
    came = await surviveOrdeal(items);
  }, 400_000);

  test('every item is judged exactly once in the results, none is lost', () => {
    expect(came).toMatchObject({
      results: items,
      keys: items,
      labels: { safe: items },
      cases: items,
    });
    expect(came.ends).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
  });

  test('what was being said when a worker was killed or stopped is asked for again, and nothing else is', () => {
    const { killed, stopped, others } = came.calls.repeated;
    expect(killed).toBeGreaterThan(0);
    expect(killed).toBeLessThanOrEqual(ordeal.itemsOfAWorker * ordeal.callsAtOnce);
    expect(stopped).toBeLessThanOrEqual(ordeal.itemsOfAWorker * ordeal.callsAtOnce);
    expect(others).toBe(0);
    expect(came.calls.different).toBe(items * ordeal.callsOfADebate);
  });

  test('the limits of the model hold over the whole fleet', () => {
    expect(came.calls.mostAtOnce).toBeLessThanOrEqual(ordeal.concurrency);
    expect(came.calls.busiestMinute).toBeLessThanOrEqual(ordeal.requestsPerMinute);
  });
});
