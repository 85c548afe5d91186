import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { krippendorffAlpha, percentAgreement, type Ratings } from './agreement.ts';

/** What each observer said of the units, a dot for nothing, turned into what was said of each unit. */
function units(...observers: string[]): Ratings[] {
  return observers[0]!
    .split('')
    .map((_, unit) => observers.map((observer) => (observer[unit] === '.' ? null : observer[unit]!)));
}

const fourObservers = units('123321412...', '1233224125.3', '.3332342251.', '12332441251.');

describe("Krippendorff's alpha, on the nominal examples of “Computing Krippendorff's Alpha-Reliability” (2011)", () => {
  test('two observers, binary data: 0.095', () => {
    expect(krippendorffAlpha(units('0100000010', '1110010000'))).toBeCloseTo(2 / 21, 12);
  });

  test('two observers, five values, 12 units: 0.692', () => {
    expect(krippendorffAlpha(units('aabbdcccedda', 'babbbccceddd'))).toBeCloseTo(155 / 224, 12);
  });

  test('four observers, 12 units, with gaps: 0.743', () => {
    expect(krippendorffAlpha(fourObservers)).toBeCloseTo(904 / 1216, 12);
  });
});

describe('agreement', () => {
  test('is null where nothing was rated twice, or nothing could have been disagreed about', () => {
    expect([
      krippendorffAlpha([]),
      krippendorffAlpha([['a', null], ['b']]),
      krippendorffAlpha([
        ['a', 'a'],
        ['a', 'a', 'a'],
      ]),
    ]).toEqual([null, null, null]);
    expect([percentAgreement([]), percentAgreement([['a', null]])]).toEqual([null, null]);
  });

  test('in percent is the share of pairs of raters, item by item: 1 and 1 of 3 pairs', () => {
    expect(percentAgreement([['a', 'a'], ['a', 'b', 'a'], ['b']])).toBeCloseTo((1 + 1 / 3) / 2, 12);
  });

  test('does not ask who said what, nor in which order the items come', () => {
    const ratings = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', null), { maxLength: 5 }), { maxLength: 20 });
    fc.assert(
      fc.property(ratings, (items) => {
        const turned = items.map((labels) => labels.toReversed()).toReversed();
        for (const measure of [krippendorffAlpha, percentAgreement]) {
          const [one, other] = [measure(items), measure(turned)];
          if (one === null) expect(other).toBeNull();
          else expect(other).toBeCloseTo(one, 9);
        }
      }),
    );
  });

  test('is 1 where all agree on more than one label', () => {
    expect([
      krippendorffAlpha([
        ['a', 'a', 'a'],
        ['b', 'b'],
      ]),
      percentAgreement([
        ['a', 'a', 'a'],
        ['b', 'b'],
      ]),
    ]).toEqual([1, 1]);
  });
});
