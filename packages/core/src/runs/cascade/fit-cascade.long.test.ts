import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitCascade, findSide, type ScoredItem } from './fit-cascade.ts';

/** Numbers from 0 to 1 that follow from a seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** A world of items: how scores are spread over [0, 1], and how often an item of a score is unsafe. */
interface World {
  density(score: number): number;
  unsafe(score: number): number;
}

const bathtub = (score: number) => 0.2 + (2 * score - 1) ** 4 * 4;

const worlds: Record<string, World> = {
  'a calibrated guard': { density: bathtub, unsafe: (score) => score },
  'a guard that is sure of too much': { density: bathtub, unsafe: (score) => 0.06 + 0.88 * score },
  'a guard whose clear ends are just as risky as may be': {
    density: bathtub,
    unsafe: (score) => (score < 0.3 ? 0.05 : score > 0.7 ? 0.95 : 0.5),
  },
  'a guard that is just too risky from its clear ends on': {
    density: bathtub,
    unsafe: (score) => (score < 0.5 ? 0.055 : 0.945),
  },
  'a useless guard': { density: () => 1, unsafe: () => 0.5 },
  'a useless guard where hardly anything is unsafe': { density: () => 1, unsafe: () => 0.045 },
  'a guard that is wrong where it is surest': {
    density: bathtub,
    unsafe: (score) => (score < 0.02 || score > 0.98 ? 0.5 : score),
  },
  'a good guard with labels of which one in twenty-five is wrong': {
    density: bathtub,
    unsafe: (score) => 0.04 + 0.92 * (score < 0.35 ? 0 : score > 0.65 ? 1 : 0.5),
  },
  'risk that comes and goes': { density: () => 1, unsafe: (score) => (Math.floor(score * 50) % 2 === 0 ? 0 : 0.11) },
};

/** Scores as the guard gives them, with equals among them. */
const steps = 400;
const scores = Array.from({ length: steps }, (_, index) => (index + 0.5) / steps);

function drawing(world: World): (count: number, random: () => number) => ScoredItem[] {
  const cumulated: number[] = [];
  for (const score of scores) cumulated.push((cumulated.at(-1) ?? 0) + world.density(score));
  const total = cumulated.at(-1)!;
  const scoreAt = (place: number) => scores[cumulated.findIndex((end) => end >= place * total)]!;
  return (count, random) =>
    Array.from({ length: count }, () => {
      const score = scoreAt(random());
      return { score, label: random() < world.unsafe(score) ? 'unsafe' : 'safe' };
    });
}

/** The share of what a band decides that is wrong, over the whole world. */
function trueRisk(world: World, band: { safeUpTo: number | null; unsafeFrom: number | null }): number {
  let decided = 0;
  let wrong = 0;
  for (const score of scores) {
    const side = findSide(band, score);
    if (side === null) continue;
    decided += world.density(score);
    wrong += world.density(score) * (side === 'safe' ? world.unsafe(score) : 1 - world.unsafe(score));
  }
  return wrong / decided;
}

describe('the promise', () => {
  const draws = 400;
  for (const [name, world] of Object.entries(worlds)) {
    test(
      `holds for ${name}: the true risk is above the stated one in at most 5 % of the draws`,
      { timeout: 90_000 },
      () => {
        const draw = drawing(world);
        const random = numbers(42);
        let broken = 0;
        for (let index = 0; index < draws; index += 1) {
          const { band } = fitCascade(draw(index % 2 === 0 ? 250 : 600, random));
          if (band && trueRisk(world, band) > 0.05) broken += 1;
        }
        expect(broken / draws).toBeLessThanOrEqual(0.05);
      },
    );
  }

  test('is no empty one: without the tests in sequence, choosing the largest band that looks fine breaks it', () => {
    const world = worlds['a guard that is just too risky from its clear ends on']!;
    const draw = drawing(world);
    const random = numbers(7);
    const naive = Array.from({ length: 300 }, () => {
      const items = draw(250, random);
      return scores.some((edge) => {
        const decided = items.filter(({ score }) => score! <= edge && edge < 0.5);
        const wrong = decided.filter(({ label }) => label === 'unsafe').length;
        return decided.length >= 20 && wrong / decided.length <= 0.05;
      });
    });
    expect(naive.filter(Boolean).length / naive.length).toBeGreaterThan(0.2);
  });
});

describe('the power', () => {
  const perfect = (count: number): ScoredItem[] =>
    Array.from({ length: count }, (_, index) => ({
      score: index / count,
      label: index / count < 0.5 ? 'safe' : 'unsafe',
    }));

  test('a perfect guard on 400 items decides nearly all', () => {
    const { band } = fitCascade(perfect(400));
    expect(band).toMatchObject({ decided: 400, wrong: 0 });
    expect(band!.bound).toBeLessThan(0.02);
  });

  test('on 40 items no band exists at 5 % and 95 %, and it is said how many would do', () => {
    expect(fitCascade(perfect(40))).toEqual({ band: null, items: 40, reason: 'too-few', needed: 113, closest: null });
    expect(fitCascade(perfect(113)).band).not.toBeNull();
  });

  test('a useless guard decides nothing, and no number of items would help it', () => {
    const fit = fitCascade(drawing(worlds['a useless guard']!)(2_000, numbers(3)));
    expect(fit).toMatchObject({ band: null, reason: 'too-risky', needed: null });
  });

  test('a good guard on too few items is told how many it needs', () => {
    const oneInFifty = (count: number) =>
      perfect(count).map((item, index): ScoredItem =>
        index % 50 === 0 ? { ...item, label: item.label === 'safe' ? 'unsafe' : 'safe' } : item,
      );
    const few = fitCascade(oneInFifty(200));
    if (few.band) throw new Error('so few items cannot show it');
    expect(few.needed).toBeGreaterThan(200);
    expect(few.closest!.bound).toBeGreaterThan(0.05);
    expect(fitCascade(oneInFifty(5_000)).band!.decided).toBe(5_000);
  });

  test('a calibrated guard decides a good part of what it could', () => {
    const draw = drawing(worlds['a calibrated guard']!);
    const { band } = fitCascade(draw(3_000, numbers(11)));
    // The largest symmetrical band of a risk of 5 %, if the truth were known.
    const best = scores
      .filter((score) => score < 0.5)
      .findLast((edge) => trueRisk(worlds['a calibrated guard']!, { safeUpTo: edge, unsafeFrom: 1 - edge }) <= 0.05)!;
    expect(band!.safeUpTo! + (1 - band!.unsafeFrom!)).toBeGreaterThan(1.2 * best);
  });

  test('where only one side can be trusted, only that one is decided', () => {
    const { band } = fitCascade(
      drawing({ density: () => 1, unsafe: (score) => (score < 0.5 ? 0.005 : 0.5) })(2_000, numbers(13)),
    );
    expect(band!.sides.safe.decided).toBeGreaterThan(850);
    expect(band!.sides.unsafe.wrong / band!.decided).toBeLessThan(0.05);
  });
});

describe('a band', () => {
  const items = fc.array(
    fc.record({
      score: fc.option(fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100)),
      label: fc.constantFrom('safe' as const, 'unsafe' as const),
    }),
    { minLength: 150, maxLength: 400 },
  );
  const agreeable = items.map((all) =>
    all.map(({ score, label }, index) => ({
      score,
      label: score === null || index % 40 === 0 ? label : score < 0.5 ? ('safe' as const) : ('unsafe' as const),
    })),
  );

  test('counts what its bounds decide, and nothing without a score', () => {
    fc.assert(
      fc.property(agreeable, (all) => {
        const { band } = fitCascade(all);
        if (!band) return;
        const decided = all.filter(({ score }) => score !== null && findSide(band, score) !== null);
        expect(band.decided).toBe(decided.length);
        expect(band.wrong).toBe(decided.filter(({ score, label }) => findSide(band, score!) !== label).length);
        expect(band.sides.safe.decided + band.sides.unsafe.decided).toBe(band.decided);
        expect(band.bound).toBeLessThanOrEqual(0.05);
      }),
    );
  });

  test('counts no score that only rounding puts on its edge', () => {
    const all = [0.04, 0.96].flatMap((score) =>
      Array.from({ length: score === 0.04 ? 300 : 1 }, () => ({
        score,
        label: score === 0.04 ? ('safe' as const) : ('unsafe' as const),
      })),
    );
    const { band } = fitCascade([
      ...all,
      ...Array.from({ length: 40 }, () => ({ score: 0.96, label: 'safe' as const })),
    ]);
    expect(band!.decided).toBe(all.filter(({ score }) => findSide(band!, score) !== null).length);
  });

  test('decides no less at a higher risk', () => {
    fc.assert(
      fc.property(agreeable, (all) => {
        const decided = [0.02, 0.05, 0.1, 0.2].map((risk) => fitCascade(all, { risk }).band?.decided ?? 0);
        expect(decided).toEqual(decided.toSorted((a, b) => a - b));
      }),
    );
  });

  test('does not depend on how the data is sorted among different scores', () => {
    const all = Array.from({ length: 500 }, (_, index): ScoredItem => ({
      score: ((index * 37) % 500) / 500,
      label: (index * 37) % 500 < 250 ? 'safe' : 'unsafe',
    }));
    expect(fitCascade(all.toSorted((a, b) => a.score! - b.score!))).toEqual(fitCascade(all));
  });
});
