import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatRounds, locate, placeMarks, spread } from './concept-space.ts';
import type { Speaker } from './view.ts';

const distribution = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([a, b]) => ({ explicit: Math.min(a, b), implicit: Math.abs(a - b), none: 1 - Math.max(a, b) }));

const speaker = (points: Speaker['points']): Speaker => ({
  name: 'Auditor',
  tone: 'auditor',
  shape: 'circle',
  variant: 1,
  joined: true,
  points,
});

describe('the three-corner plot', () => {
  test('has each certainty in its corner, and the middle in the middle', () => {
    const corners = [
      locate({ explicit: 1, implicit: 0, none: 0 }),
      locate({ explicit: 0, implicit: 1, none: 0 }),
      locate({ explicit: 0, implicit: 0, none: 1 }),
    ];
    const [explicit, implicit, none] = corners as [(typeof corners)[0], (typeof corners)[0], (typeof corners)[0]];
    expect(explicit.x).toBeLessThan(none.x);
    expect(implicit.x).toBeGreaterThan(none.x);
    expect(none.y).toBeLessThan(explicit.y);
    const middle = locate({ explicit: 1 / 3, implicit: 1 / 3, none: 1 / 3 });
    expect(middle.x).toBeCloseTo((explicit.x + implicit.x + none.x) / 3);
    const sides = corners.map((corner, index) =>
      Math.hypot(corner.x - corners[(index + 1) % 3]!.x, corner.y - corners[(index + 1) % 3]!.y),
    );
    for (const side of sides) expect(side).toBeCloseTo(sides[0]!, 0);
  });

  test('tells explicit from implicit by left and right, and risk from none by height', () => {
    fc.assert(
      fc.property(distribution, distribution, (one, other) => {
        const [here, there] = [locate(one), locate(other)];
        if (Math.abs(one.none - other.none) > 1e-9) expect(here.y < there.y).toBe(one.none > other.none);
        const lean = (stated: typeof one) => stated.implicit - stated.explicit;
        if (Math.abs(lean(one) - lean(other)) > 1e-9) expect(here.x > there.x).toBe(lean(one) > lean(other));
      }),
    );
  });

  test('has one mark for a speaker that stays where it is, and one for each vote of its own', () => {
    const points = [1, 2, 3].map((round) => ({
      round,
      distribution: { explicit: 0.1, implicit: 0.7, none: 0.2 },
      label: 'unsafe',
      isStandIn: false,
    }));
    const ordinals = (drawn: Speaker) => placeMarks([drawn]).map(formatRounds);
    expect(ordinals(speaker(points))).toEqual(['1–3']);
    expect(ordinals({ ...speaker(points), joined: false })).toEqual(['1', '2', '3']);
    expect(
      ordinals(
        speaker([points[0]!, { ...points[1]!, distribution: { explicit: 0, implicit: 0, none: 1 } }, points[2]!]),
      ),
    ).toEqual(['1', '2', '3']);
  });

  test('has no mark of whoever stated no distribution', () => {
    expect(placeMarks([speaker([{ round: 1, distribution: null, label: 'safe', isStandIn: false }])])).toEqual([]);
  });
});

describe('marks that would cover one another', () => {
  const frame = { left: 0, top: 0, right: 400, bottom: 400 };
  const places = fc.array(fc.record({ x: fc.integer({ min: 0, max: 400 }), y: fc.integer({ min: 0, max: 400 }) }), {
    maxLength: 20,
  });

  test('are moved apart, within the frame, and always in the same way', () => {
    fc.assert(
      fc.property(places, (given) => {
        const moved = spread(given, 20, frame);
        expect(spread(given, 20, frame)).toEqual(moved);
        for (const [index, one] of moved.entries()) {
          expect(one.x >= 0 && one.x <= 400 && one.y >= 0 && one.y <= 400).toBe(true);
          for (const other of moved.slice(index + 1))
            expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(15);
        }
      }),
    );
  });

  test('stay where they are when they are apart', () => {
    const apart = [
      { x: 10, y: 10 },
      { x: 200, y: 10 },
      { x: 100, y: 300 },
    ];
    expect(spread(apart, 20, frame)).toEqual(apart);
  });

  test('are left alone when they are too many to be read', () => {
    const crowd = Array.from({ length: 5000 }, () => ({ x: 5, y: 5 }));
    expect(spread(crowd, 20, frame)).toEqual(crowd);
  });
});
