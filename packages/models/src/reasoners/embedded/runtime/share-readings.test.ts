import { describe, expect, it } from 'vitest';
import { createRecentReadings, rememberReadings, shareReadings } from './share-readings.ts';

const reading = (length: number) => ({ tokens: { length } });

describe('recent readings', () => {
  it('are forgotten in the order they were last asked for, once they weigh too much', () => {
    const recent = createRecentReadings<ReturnType<typeof reading>>(() => 400);
    for (const key of ['a', 'b', 'c', 'd']) recent.set(key, reading(84));
    recent.get('a');
    recent.set('e', reading(84));
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => recent.get(key))).toEqual(['a', 'c', 'd', 'e']);
  });

  it('are not pushed out by one that is longer than a quarter of all', () => {
    const recent = createRecentReadings<ReturnType<typeof reading>>(() => 400);
    recent.set('short', reading(10));
    recent.set('long', reading(101));
    expect([recent.get('short'), recent.get('long')]).toEqual([reading(10), undefined]);
  });
});

describe('who measures many systems on the same texts', () => {
  const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`);

  /** How often 300 texts of a thousand tokens are computed, read twice from the first to the last. */
  async function computedBy(read: ReturnType<typeof shareReadings<ReturnType<typeof reading>>>): Promise<number> {
    let computed = 0;
    for (let system = 0; system < 2; system += 1) {
      for (const text of texts) {
        await read(text, async () => {
          computed += 1;
          return reading(1000);
        });
      }
    }
    return computed;
  }

  it('has each computed once, as long as it is remembered', async () => {
    expect(await computedBy(shareReadings())).toBe(2 * texts.length);
    const forget = rememberReadings(400_000);
    try {
      expect(await computedBy(shareReadings())).toBe(texts.length);
    } finally {
      forget();
    }
    expect(await computedBy(shareReadings())).toBe(2 * texts.length);
  });

  it('takes nothing from another who asked for more', async () => {
    const forgetMore = rememberReadings(400_000);
    rememberReadings(1000)();
    expect(await computedBy(shareReadings())).toBe(texts.length);
    forgetMore();
  });
});
