import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeShare, dividePlaces, type HeldShare } from './fair-share.ts';

const workers = ['a', 'b', 'c', 'd', 'e'];
const limits = fc.record({
  concurrency: fc.integer({ min: 0, max: 40 }),
  requestsPerMinute: fc.integer({ min: 0, max: 1_000 }),
  tokensPerMinute: fc.double({ min: 0, max: 1e6, noNaN: true }),
});

/** What the store keeps, and what each worker may start: a claim is answered before the next one comes. */
function fleetOf(ofModel: { concurrency: number; requestsPerMinute: number; tokensPerMinute: number }) {
  const rows = new Map<string, HeldShare>();
  const claim = (worker: string, wanted: number, inUse: number) => {
    const { share, held } = computeShare({ worker, wanted, inUse, limits: ofModel }, [...rows.values()]);
    rows.set(worker, {
      worker,
      wanted,
      concurrency: held,
      requestsPerMinute: share.requestsPerMinute!,
      tokensPerMinute: share.tokensPerMinute!,
    });
    return share;
  };
  const total = (of: (row: HeldShare) => number) => [...rows.values()].reduce((sum, row) => sum + of(row), 0);
  return { rows, claim, total };
}

describe('shares of a limit', () => {
  test('together never exceed it, whoever claims, uses, lapses and comes back in whatever order', () => {
    const step = fc.record({
      worker: fc.constantFrom(...workers),
      wanted: fc.integer({ min: 0, max: 30 }),
      used: fc.double({ min: 0, max: 1, noNaN: true }),
      lapses: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 60 }), (ofModel, steps) => {
        const { rows, claim, total } = fleetOf(ofModel);
        const running = new Map<string, number>();
        const allowed = new Map<string, number>();
        for (const { worker, wanted, used, lapses } of steps) {
          if (lapses === 0) {
            // Its calls ended with it.
            rows.delete(worker);
            running.set(worker, 0);
            allowed.set(worker, 0);
            continue;
          }
          // Calls end at will, and begin as far as the last share allows.
          const inUse = Math.min(
            Math.floor(used * wanted),
            Math.max(running.get(worker) ?? 0, allowed.get(worker) ?? 0),
          );
          const share = claim(worker, wanted, inUse);
          running.set(worker, inUse);
          allowed.set(worker, share.concurrency);
          expect(rows.get(worker)!.concurrency).toBeGreaterThanOrEqual(inUse);
          expect(total((row) => row.concurrency)).toBeLessThanOrEqual(ofModel.concurrency);
          expect(
            total((row) => Math.max(running.get(row.worker) ?? 0, allowed.get(row.worker) ?? 0)),
          ).toBeLessThanOrEqual(ofModel.concurrency);
          expect(total((row) => row.requestsPerMinute)).toBeLessThanOrEqual(ofModel.requestsPerMinute + 1e-6);
          expect(total((row) => row.tokensPerMinute)).toBeLessThanOrEqual(ofModel.tokensPerMinute + 1e-3);
          if (wanted === 0) expect(share).toEqual({ concurrency: 0, requestsPerMinute: 0, tokensPerMinute: 0 });
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('are fair after a few claims, when each goes on wanting the same and uses all it may', () => {
    const wishes = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 5, maxLength: 5 });
    const before = fc.array(
      fc.record({ worker: fc.constantFrom(...workers), wanted: fc.integer({ min: 0, max: 30 }) }),
      { maxLength: 10 },
    );
    // Of fewer, not everybody gets some at the same time.
    const enough = limits.map((ofModel) => ({
      ...ofModel,
      requestsPerMinute: ofModel.requestsPerMinute + 10 * workers.length,
    }));
    fc.assert(
      fc.property(enough, wishes, before, (ofModel, wanted, earlier) => {
        const { claim, total } = fleetOf(ofModel);
        const allowed = new Map<string, number>();
        for (const each of earlier)
          allowed.set(each.worker, claim(each.worker, each.wanted, allowed.get(each.worker) ?? 0).concurrency);
        const shares = new Map<string, ReturnType<typeof claim>>();
        for (let round = 0; round < 6; round += 1) {
          for (const [index, worker] of workers.entries()) {
            const share = claim(worker, wanted[index]!, Math.min(wanted[index]!, allowed.get(worker) ?? 0));
            allowed.set(worker, share.concurrency);
            shares.set(worker, share);
          }
        }
        const places = workers.map((worker) => shares.get(worker)!.concurrency);
        expect(places.reduce((sum, place) => sum + place, 0)).toBe(
          Math.min(
            ofModel.concurrency,
            wanted.reduce((sum, wish) => sum + wish, 0),
          ),
        );
        const unsatisfied = places.filter((place, index) => place < wanted[index]!);
        // Nobody who could do with more has a place less than another, but for the one that cannot be divided.
        if (unsatisfied.length > 0) expect(Math.max(...places) - Math.min(...unsatisfied)).toBeLessThanOrEqual(1);
        if (places.some((place) => place > 0))
          expect(total((row) => row.requestsPerMinute)).toBeGreaterThan(ofModel.requestsPerMinute - 0.01);
        for (const worker of workers)
          expect(claim(worker, wanted[workers.indexOf(worker)]!, allowed.get(worker)!)).toEqual(shares.get(worker));
      }),
      { numRuns: 1_000 },
    );
  });

  test('of two places among three go to two, and the third gets one when another is done', () => {
    const { claim } = fleetOf({ concurrency: 2, requestsPerMinute: 60, tokensPerMinute: 1 });
    expect(claim('a', 9, 0)).toMatchObject({ concurrency: 2, requestsPerMinute: 60 });
    expect(claim('b', 9, 0), 'it waits until the first gives one up').toMatchObject({
      concurrency: 0,
      requestsPerMinute: 0,
    });
    expect(claim('a', 9, 2), 'two calls run, and no other may start').toMatchObject({
      concurrency: 1,
      requestsPerMinute: 30,
    });
    expect(claim('b', 9, 0), 'they run still').toMatchObject({ concurrency: 0 });
    expect(claim('a', 9, 1)).toMatchObject({ concurrency: 1 });
    expect(claim('b', 9, 0)).toMatchObject({ concurrency: 1, requestsPerMinute: 30 });
    expect(claim('c', 9, 0)).toMatchObject({ concurrency: 0 });
    claim('a', 0, 0);
    expect(claim('c', 9, 0)).toMatchObject({ concurrency: 1, requestsPerMinute: 30 });
  });

  test('of fewer requests than ten for each go to some at a time, whole, and to the others in their turn', () => {
    const few = { concurrency: 9, requestsPerMinute: 25 };
    const rows = new Map<string, HeldShare>();
    const claim = (worker: string, turn: number) => {
      const { share, held } = computeShare({ worker, wanted: 3, inUse: 0, limits: few, turn }, [...rows.values()]);
      rows.set(worker, {
        worker,
        wanted: 3,
        concurrency: held,
        requestsPerMinute: share.requestsPerMinute!,
        tokensPerMinute: 0,
      });
      return share.requestsPerMinute!;
    };
    const settled = (turn: number) => {
      for (const worker of ['a', 'b', 'c', 'a', 'b', 'c']) {
        const granted = claim(worker, turn);
        expect(granted === 0 || granted >= 10, `${worker} got ${granted}`).toBe(true);
      }
      return ['a', 'b', 'c'].map((worker) => claim(worker, turn));
    };
    expect(settled(0)).toEqual([12.5, 12.5, 0]);
    expect(settled(1)).toEqual([12.5, 0, 12.5]);
    expect(settled(2)).toEqual([0, 12.5, 12.5]);
  });

  test('of one place among three go from one to the other with the turns', () => {
    const rows = new Map<string, HeldShare>();
    const claim = (worker: string, turn: number, inUse: number) => {
      const { share, held } = computeShare({ worker, wanted: 3, inUse, limits: { concurrency: 1 }, turn }, [
        ...rows.values(),
      ]);
      rows.set(worker, { worker, wanted: 3, concurrency: held, requestsPerMinute: 0, tokensPerMinute: 0 });
      return share.concurrency;
    };
    expect(['a', 'b', 'c'].map((worker) => claim(worker, 0, 0))).toEqual([1, 0, 0]);
    expect(
      ['b', 'a', 'b'].map((worker) => claim(worker, 1, Number(worker === 'a'))),
      'a call runs',
    ).toEqual([0, 0, 0]);
    expect(
      ['a', 'b', 'c'].map((worker) => claim(worker, 1, 0)),
      'it has ended',
    ).toEqual([0, 1, 0]);
    expect(['a', 'b', 'c'].map((worker) => claim(worker, 2, 0))).toEqual([0, 0, 1]);
  });

  test('leave what one does not want to the others', () => {
    const wish = (worker: string, wanted: number) => ({ worker, wanted, concurrency: 0 });
    expect([...dividePlaces(10, [wish('a', 1), wish('b', 30), wish('c', 4)]).values()]).toEqual([1, 5, 4]);
    expect([...dividePlaces(10, [wish('a', 2), wish('b', 2)]).values()]).toEqual([2, 2]);
  });
});
