import { expect, test } from 'vitest';
import {
  klDivergence,
  normalised,
  riskConcepts,
  uniform,
  type Distribution,
  type RiskConcept,
} from './distribution.ts';
import { applyReference, fitReference, readReference, type ReferenceItem } from './reference.ts';

/** A small generator, so that what is planted is the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

function drawn(distribution: Distribution, random: () => number): RiskConcept {
  const at = random();
  return at < distribution.explicit
    ? 'explicit'
    : at < distribution.explicit + distribution.implicit
      ? 'implicit'
      : 'none';
}

const planted = { temperature: 0.5, bias: { explicit: -0.4, implicit: 0.9, none: -0.5 } };

function items(count: number, knowsRisk: boolean): ReferenceItem[] {
  const random = randomNumbers(7);
  return Array.from({ length: count }, () => {
    const stated = normalised({
      explicit: random() ** 3 + 0.01,
      implicit: random() ** 3 + 0.01,
      none: random() ** 3 + 0.01,
    });
    const truth = drawn(applyReference(planted, stated), random);
    return { stated, unsafe: truth !== 'none', risk: truth === 'none' || !knowsRisk ? null : truth };
  });
}

test('the fit recovers a planted temperature and bias', () => {
  const { temperature, bias, items: fitted } = fitReference(items(3000, true));
  expect(temperature).toBeCloseTo(planted.temperature, 1);
  for (const concept of riskConcepts) expect(bias[concept]).toBeCloseTo(planted.bias[concept], 0);
  expect(fitted).toBe(3000);
});

test('where only safe and unsafe are known, explicit and implicit count together', () => {
  const fitted = fitReference(items(3000, false));
  const [stated] = items(1, false);
  const risk = (distribution: Distribution) => distribution.explicit + distribution.implicit;
  expect(risk(applyReference(fitted, stated!.stated))).toBeCloseTo(risk(applyReference(planted, stated!.stated)), 1);
});

test('nothing to learn from leaves the critic as it states', () => {
  const fitted = fitReference([]);
  expect(fitted).toMatchObject({ temperature: 1, bias: { explicit: 0, implicit: 0, none: 0 }, items: 0 });
  const stated = { explicit: 0.6, implicit: 0.3, none: 0.1 };
  expect(klDivergence(stated, applyReference(fitted, stated))).toBeLessThan(0.001);
});

test('a critic that is always sure and always right stays finite', () => {
  const sure: ReferenceItem[] = Array.from({ length: 50 }, () => ({
    stated: { explicit: 1, implicit: 0, none: 0 },
    unsafe: true,
    risk: 'explicit',
  }));
  const fitted = fitReference(sure);
  expect(Object.values(fitted.bias).every(Number.isFinite)).toBe(true);
  expect(applyReference(fitted, sure[0]!.stated).explicit).toBeGreaterThan(0.95);
});

test('a critic who knows nothing is not believed', () => {
  const random = randomNumbers(3);
  const guesses: ReferenceItem[] = Array.from({ length: 2000 }, () => {
    const stated = normalised({ explicit: random(), implicit: random(), none: random() });
    const truth = drawn(uniform, random);
    return { stated, unsafe: truth !== 'none', risk: truth === 'none' ? null : truth };
  });
  expect(Math.abs(fitReference(guesses).temperature)).toBeLessThan(0.15);
});

test('what was fitted is read back, and anything else is refused in one line', () => {
  const fitted = fitReference(items(20, true), [{ file: 'train.jsonl', sha256: 'sha256:0', items: 20 }]);
  expect(readReference(JSON.stringify(fitted), 'reference.json')).toEqual(fitted);
  expect(() => readReference('{', 'reference.json')).toThrow(expect.objectContaining({ code: 'not-a-reference' }));
  expect(() => readReference('{"version":1}', 'reference.json')).toThrow(
    /reference\.json is not a fitted reference: temperature/,
  );
});
