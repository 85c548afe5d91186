import { describe, expect, it } from 'vitest';
import { createShareBucket } from './shared-limiter.ts';

/** Takes whatever can be had of a bucket, millisecond by millisecond, and tells how much it was. */
function drain(bucket: ReturnType<typeof createShareBucket>, from: number, to: number): number {
  let taken = 0;
  for (let now = from; now < to; now++) {
    while (bucket.wait(1, now) === 0) {
      bucket.take(1);
      taken += 1;
    }
  }
  return taken;
}

describe('the bucket of a share', () => {
  it('starts empty and lets nobody pass without a share', () => {
    const bucket = createShareBucket(0);
    expect(bucket.wait(1, 60_000)).toBe(Infinity);
    bucket.change(600, 60_000, 60_000);
    expect(bucket.wait(1, 60_000)).toBeGreaterThan(0);
  });

  it('and the one that the share moves to leak no more than the limit into the minute of the move', () => {
    const [giver, taker] = [createShareBucket(0), createShareBucket(0)];
    giver.change(600, 0, 0);
    giver.wait(1, 0);
    const saved = drain(giver, 120_000, 120_001);
    expect(saved).toBe(60);
    giver.change(0, 120_001, 120_001);
    taker.change(600, 120_001, 120_001);
    expect(saved + drain(taker, 120_001, 180_000) + drain(giver, 120_001, 180_000)).toBeLessThanOrEqual(600);
  });

  it('loses what it had saved up when its share shrinks or is lost, and owes what it owed', () => {
    const bucket = createShareBucket(0);
    bucket.change(600, 0, 0);
    bucket.change(20, 60_000, 60_000);
    expect(drain(bucket, 60_000, 60_001)).toBe(2);
    bucket.take(10);
    bucket.lose(60_001);
    bucket.change(20, 60_001, 60_001);
    expect(bucket.wait(1, 60_001)).toBeGreaterThan(30_000);
  });

  it('counts the lesser share while a claim is on its way', () => {
    const bucket = createShareBucket(0);
    bucket.change(6_000, 0, 30_000);
    expect(drain(bucket, 30_000, 30_001)).toBe(0);
  });
});
