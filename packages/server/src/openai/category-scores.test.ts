import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemas } from '../api/index.ts';
import { defaultPolicy, type Policy } from '@agonhq/engine/policy';
import { mapClauses } from './category-map.ts';
import { bar, scoreCategories, type ScoredBy } from './category-scores.ts';

const policy = await defaultPolicy();
const clauses = policy.categories.flatMap((category) => category.clauses.map(({ id }) => id));

function scored(given: {
  label?: 'safe' | 'unsafe' | 'undecided';
  score?: number | null;
  named?: string[];
  near?: Record<string, number>;
  lags?: Record<string, number>;
  argued?: string[];
  namesAll?: boolean;
  isAddressed?: boolean;
}): ScoredBy {
  const {
    label = 'unsafe',
    score = 0.9,
    named = [],
    near = {},
    lags = {},
    argued = [],
    namesAll = false,
    isAddressed,
  } = given;
  return {
    verdict: { label, risk: score, bar, categories: named.map((clause) => ({ id: clause.split('.')[0]!, clause })) },
    resemblances: new Map(clauses.map((clause) => [clause, { similarity: near[clause] ?? 0, lag: lags[clause] ?? 0 }])),
    argued: new Set(argued),
    namesAll,
    belongings: mapClauses(policy),
    ...(isAddressed === undefined ? {} : { isAddressed }),
  };
}

const under = (given: Parameters<typeof scored>[0]) =>
  Object.entries(scoreCategories(scored(given)))
    .filter(([, score]) => score >= bar)
    .map(([category]) => category);

describe('the scores of OpenAI’s categories', () => {
  test('give the verdict’s score to the categories of the clause that it names', () => {
    expect(scoreCategories(scored({ named: ['weapons.make'] }))).toMatchObject({
      illicit: 0.9,
      'illicit/violent': 0.86,
    });
    expect(under({ named: ['child.sexual'] })).toEqual(['sexual', 'sexual/minors']);
    expect(under({ named: ['violence.show'] })).toEqual(['violence', 'violence/graphic']);
    expect(under({ named: ['self-harm.urge'] })).toEqual(['self-harm']);
  });

  test('a threat to people for what they are is both hate and violence', () => {
    const threat = { named: ['hate.attack'], near: { 'hate.attack': 0.5, 'violence.plan': 0.48 } };
    expect(under(threat)).toEqual(['hate', 'hate/threatening', 'violence']);
    expect(under({ ...threat, near: { 'hate.attack': 0.5, 'violence.plan': 0.1 } })).toEqual(['hate']);
  });

  test('what only resembles a clause that something else speaks for is not under it', () => {
    const near = { 'violence.plan': 0.3, 'self-harm.urge': 0.33 };
    const threat = { named: ['violence.plan'], near, lags: { 'self-harm.urge': 0.87 } };
    expect(under(threat)).toEqual(['violence']);
    expect(under({ ...threat, lags: {} })).toContain('self-harm');
  });

  test('a threat to whoever is spoken to is harassment; a plan to hurt somebody else is violence', () => {
    const near = { 'violence.plan': 0.5 };
    expect(under({ named: ['violence.plan'], near, isAddressed: true })).toEqual([
      'harassment',
      'harassment/threatening',
      'violence',
    ]);
    expect(under({ named: ['violence.plan'], near })).toEqual(['violence']);
    expect(under({ named: ['illegal.drugs'], isAddressed: true })).toEqual(['illicit']);
  });

  test('what OpenAI has no category for is under none of them', () => {
    expect(under({ named: ['prompt.override'], near: { 'prompt.override': 0.6 } })).toEqual([]);
  });

  test('what resembles nothing is under nothing, however sure the verdict', () => {
    expect(under({ score: 1, near: { 'sexual.explicit': 0.1, 'harassment.insult': 0.11 } })).toEqual([]);
  });

  test('a model that names all that hold is believed about what does not', () => {
    const near = { 'violence.plan': 0.6, 'harassment.target': 0.6 };
    expect(under({ near })).toContain('violence');
    expect(under({ near, named: ['harassment.target'], argued: ['violence.plan'], namesAll: true, score: 1 })).toEqual([
      'harassment',
    ]);
    expect(
      scoreCategories(
        scored({ near: { 'fraud.scam': 0.6 }, label: 'safe', score: 0.2, argued: ['sexual.explicit'], namesAll: true }),
      ).sexual,
    ).toBe(0.2);
  });

  test('lie between 0 and 1, reach the bar only where the verdict is unsafe, and rise with the verdict’s score', () => {
    const resemblance = fc.double({ min: -1, max: 1, noNaN: true });
    const any = fc.record({
      label: fc.constantFrom('safe', 'unsafe', 'undecided'),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      namesAll: fc.boolean(),
      named: fc.subarray(clauses, { maxLength: 3 }),
      argued: fc.subarray(clauses, { maxLength: 3 }),
      near: fc.dictionary(fc.constantFrom(...clauses), resemblance),
    });
    fc.assert(
      fc.property(any, fc.double({ min: 0, max: 1, noNaN: true }), (given, other) => {
        const [lower, higher] = [given.score, other]
          .toSorted((a, b) => a - b)
          .map((score) => scoreCategories(scored({ ...given, score })));
        for (const category of schemas.openAiCategories) {
          const score = lower![category];
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(given.label === 'unsafe' ? 1 : bar - 1e-4);
          expect(higher![category]).toBeGreaterThanOrEqual(score);
        }
      }),
    );
  });
});

describe('a policy of one’s own', () => {
  const clause = (id: string) => ({ id, text: 'x', severity: 'low' as const, violations: [], exonerations: [] });
  const own = (...categories: [string, string][]) =>
    mapClauses({
      categories: categories.map(([id, name]) => ({ id, title: 'X', clauses: [clause(`${id}.${name}`)] })),
    } as unknown as Policy);

  test('is read by the ids it shares with ours, by those of our categories, or by OpenAI’s names', () => {
    const known = own(['weapons', 'make'], ['fraud', 'lottery'], ['sexual-minors', 'any'], ['spoilers', 'film']);
    expect(known.get('weapons.make')).toEqual({ illicit: 1, 'illicit/violent': 1 });
    expect(known.get('fraud.lottery')).toEqual({ illicit: 1 });
    expect(known.get('sexual-minors.any')).toEqual({ sexual: 1, 'sexual/minors': 1 });
    expect(known.get('spoilers.film')).toEqual({});
  });

  test('every clause of the default policy has a place, except where OpenAI has none', () => {
    const nowhere = [...mapClauses(policy)]
      .filter(([, belonging]) => Object.keys(belonging).length === 0)
      .map(([id]) => id);
    expect(nowhere).toEqual(['misinformation.fake', 'prompt.override', 'prompt.inject']);
  });
});
