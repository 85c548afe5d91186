import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { handMadeData, handMadeRuns, type Said } from '@agonhq/test/support/hand-made-runs.ts';
import type { Distribution } from '@agonhq/judges/evaluation';
import { accuracyByModel, accuracyByRisk, repeatFigures, findBehaviours, countErrorModes } from './figures.ts';
import { measureDivergences, measureSelfEvaluation } from './self-evaluation.ts';
import { fitReferenceFrom } from './bench.ts';

const familyOf = (model: string) => model.split('-')[0]!;

describe('Table 2, stability', () => {
  const data = handMadeData([{ model: 'b' }, { model: 'b' }, { model: 'a' }, { model: 'a' }, {}]);

  test('is the accuracy on each evaluated model, and its standard deviation over them', () => {
    const { models, spread } = accuracyByModel(handMadeRuns(data, {}, ['safe', 'unsafe', 'safe', 'safe', 'unsafe']));
    expect(models).toMatchObject([
      { model: 'a', items: 2, accuracy: { value: 1 } },
      { model: 'b', items: 2, accuracy: { value: 0.5 } },
    ]);
    expect(spread).toBe(0.25);
  });

  test('is the mean over repeats', () => {
    const { models } = accuracyByModel(
      handMadeRuns(data, {}, ['safe', 'safe', 'safe', 'safe', 'safe'], ['unsafe', 'safe', 'safe', 'safe', 'safe']),
    );
    expect(models[1]).toMatchObject({ model: 'b', accuracy: { value: 0.75 } });
  });

  test('has no standard deviation with one model, and no rows with none', () => {
    expect(accuracyByModel(handMadeRuns(handMadeData([{ model: 'a' }]), {}, ['safe']))).toMatchObject({ spread: null });
    expect(accuracyByModel(handMadeRuns(handMadeData([{}]), {}, ['safe']))).toEqual({ models: [], spread: null });
  });
});

test('Table 4 counts unsafe items alone, by their kind of risk; an undecided one is an error', () => {
  const data = handMadeData([
    { label: 'unsafe', risk: 'explicit' },
    { label: 'unsafe', risk: 'implicit' },
    { label: 'unsafe', risk: 'implicit' },
    { label: 'unsafe' },
    { risk: 'explicit' },
  ]);
  const { explicit, implicit } = accuracyByRisk(
    handMadeRuns(data, {}, ['unsafe', 'unsafe', 'undecided', 'safe', 'unsafe']),
  );
  expect([explicit.items, explicit.accuracy.value, implicit.items, implicit.accuracy.value]).toEqual([1, 1, 2, 0.5]);
});

describe('repeats', () => {
  const items = handMadeData([{ label: 'unsafe' }, {}, {}, { label: 'unsafe' }]);
  const figures = (...repeats: Said[][]) =>
    repeatFigures(handMadeRuns(items, {}, ...repeats).runs.map(({ outcomes }) => outcomes));

  test('say how often an item has the same label every time, and the right one every time', () => {
    const { sameLabel, alwaysRight, spread } = figures(
      ['unsafe', 'safe', 'unsafe', 'failed'],
      ['unsafe', 'unsafe', 'unsafe', 'failed'],
    );
    expect({ sameLabel, alwaysRight }).toEqual({ sameLabel: 0.5, alwaysRight: 0.25 });
    expect(spread.accuracy).toBe(0.125);
  });

  test('say nothing when there is one', () => {
    expect(figures(['unsafe', 'safe', 'safe', 'unsafe'])).toEqual({
      count: 1,
      spread: { accuracy: null, f1: null },
      sameLabel: null,
      alwaysRight: null,
    });
  });

  test('who is right every time has the same label every time, and identical repeats have no spread', () => {
    const labels = fc.array(fc.constantFrom<Said>('safe', 'unsafe', 'undecided', 'failed'), {
      minLength: 4,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(labels, { minLength: 2, maxLength: 4 }), (repeats) => {
        const { sameLabel, alwaysRight } = figures(...repeats);
        expect(alwaysRight!).toBeLessThanOrEqual(sameLabel!);
        expect(figures(repeats[0]!, repeats[0]!).spread.accuracy).toBe(0);
      }),
    );
  });
});

describe('the paper’s two error modes', () => {
  const data = handMadeData([
    { label: 'unsafe', risk: 'implicit' },
    { label: 'unsafe', risk: 'explicit' },
    { behaviour: 'irrelevant' },
    { behaviour: 'refused' },
    {},
    { label: 'unsafe', risk: 'implicit' },
    {},
    { label: 'unsafe' },
  ]);
  const wrong: Said[] = ['safe', 'safe', 'unsafe', 'unsafe', 'unsafe', 'undecided', 'failed', 'unsafe'];

  test('are told apart by the risk of what was missed and by what a false alarm did', () => {
    const { runs } = handMadeRuns(data, {}, wrong);
    const { behaviourOf } = findBehaviours(runs[0]!.outcomes, null);
    expect(countErrorModes([runs[0]!.outcomes], behaviourOf)).toEqual({
      missedImplicit: 1,
      irrelevantCalledUnsafe: 1,
      otherMisses: 1,
      otherAlarms: 2,
      undecided: 1,
      failed: 1,
    });
  });

  test('take the behaviour that the data does not give from the debate, and say so', () => {
    const { runs } = handMadeRuns(data, {}, wrong);
    const debate = handMadeRuns(
      data,
      {},
      data.lines.map(() => ({ label: 'safe', behaviour: 'irrelevant' })),
    ).runs[0]!.outcomes;
    const { behaviourOf, sources } = findBehaviours(runs[0]!.outcomes, debate);
    expect(sources).toEqual({ data: 2, debate: 6, unknown: 0 });
    expect(countErrorModes([runs[0]!.outcomes], behaviourOf)).toMatchObject({
      irrelevantCalledUnsafe: 2,
      otherAlarms: 1,
    });
  });

  test('are means over repeats, and together all errors', () => {
    const labels = fc.array(fc.constantFrom<Said>('safe', 'unsafe', 'undecided', 'failed'), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(labels, { minLength: 1, maxLength: 3 }), (repeats) => {
        const { runs } = handMadeRuns(data, {}, ...repeats);
        const modes = countErrorModes(
          runs.map(({ outcomes }) => outcomes),
          () => null,
        );
        const errors = runs
          .flatMap(({ outcomes }) => outcomes)
          .filter(({ unsafe, said }) => said !== (unsafe ? 'unsafe' : 'safe')).length;
        expect(Object.values(modes).reduce((sum, count) => sum + count, 0)).toBeCloseTo(errors / repeats.length, 9);
      }),
    );
  });
});

describe('equation 2', () => {
  const data = handMadeData([{}, {}]);
  const sure: Distribution = { explicit: 1, implicit: 0, none: 0 };
  const safe: Distribution = { explicit: 0, implicit: 0, none: 1 };
  const of = (name: string, ...said: Said[]) => handMadeRuns(data, { name }, said);
  const stating = (distribution: Distribution): Said => ({ label: 'safe', distribution });

  test('flags evaluators that always differ, and not those that agree', () => {
    const [agree, differ] = [of('b', stating(sure), stating(sure)), of('c', stating(safe), stating(safe))];
    const pairs = measureDivergences([of('a', stating(sure), stating(sure)), agree, differ], 0.5);
    expect(pairs).toHaveLength(6);
    expect(pairs.filter(({ breach }) => breach).map(({ first, second }) => `${first}‖${second}`)).toEqual([
      'a‖c',
      'b‖c',
      'c‖a',
      'c‖b',
    ]);
    expect(pairs[0]).toEqual({ first: 'a', second: 'b', value: 0, over: 'concepts', items: 2, breach: false });
  });

  test('compares safe and unsafe alone where one of the two states no concepts', () => {
    const [pair] = measureDivergences([of('a', stating(sure), stating(sure)), of('b', 'unsafe', 'safe')], 0.5);
    expect(pair).toMatchObject({ over: 'labels', items: 2, breach: true });
  });

  test('leaves out what one of the two did not say', () => {
    expect(measureDivergences([of('a', 'unsafe', 'undecided'), of('b', 'unsafe', 'unsafe')], 0.5)[0]).toMatchObject({
      value: 0,
      items: 1,
      breach: false,
    });
    expect(measureDivergences([of('a', 'failed', 'undecided'), of('b', 'unsafe', 'unsafe')], 0.5)[0]).toMatchObject({
      value: null,
      items: 0,
      breach: false,
    });
  });

  test('one item without a distribution does not take the concepts from all the others', () => {
    const [pair] = measureDivergences(
      [of('a', stating(sure), 'undecided'), of('b', stating({ explicit: 0, implicit: 1, none: 0 }), stating(safe))],
      0.5,
    );
    expect(pair).toMatchObject({ over: 'concepts', items: 1, breach: true });
  });

  test('is never negative, zero for like opinions, and finite even for certain ones', () => {
    const shares = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).filter((parts) => parts.some((part) => part > 0));
    const distribution = shares.map(([explicit, implicit, none]): Distribution => ({
      explicit: explicit / (explicit + implicit + none),
      implicit: implicit / (explicit + implicit + none),
      none: none / (explicit + implicit + none),
    }));
    fc.assert(
      fc.property(distribution, distribution, (one, other) => {
        const [forth, back] = measureDivergences(
          [of('a', stating(one), stating(one)), of('b', stating(other), stating(other))],
          0.5,
        );
        for (const { value } of [forth!, back!]) {
          expect(value!).toBeGreaterThanOrEqual(0);
          expect(value!).toBeLessThan(5);
        }
        expect(
          measureDivergences([of('a', stating(one), stating(one)), of('b', stating(one), stating(one))], 0.5)[0]!.value,
        ).toBeCloseTo(0, 12);
      }),
    );
  });
});

describe('Figure 2 and equation 3, judging one’s own family', () => {
  const data = handMadeData([
    { label: 'unsafe', model: 'gpt-5' },
    { label: 'unsafe', model: 'gpt-5' },
    { model: 'gpt-5' },
    { label: 'unsafe', model: 'grok-3' },
  ]);
  const debate = handMadeRuns(data, {}, ['unsafe', 'unsafe', 'safe', 'unsafe']);
  const judge = (name: string, model: string, ...said: Said[]) =>
    handMadeRuns(data, { name, method: 'judge', models: [model] }, said);
  const lenient = judge('kin', 'openai:gpt-5', 'safe', 'undecided', 'safe', 'unsafe');
  const stranger = judge('stranger', 'xai:grok-3', 'unsafe', 'unsafe', 'safe', 'unsafe');
  const bare = (model: string) => familyOf(model.split(':').at(-1)!);

  test('holds the judges of a model’s own family against the debate on that model’s unsafe items', () => {
    const [gpt, grok] = measureSelfEvaluation([debate, lenient, stranger], { familyOf: bare, gamma: 0.1 });
    expect(gpt).toMatchObject({
      model: 'gpt-5',
      family: 'gpt',
      items: 3,
      unsafe: 2,
      debate: { falseNegativeRate: { value: 0 } },
      judges: [
        { name: 'kin', falseNegativeRate: { value: 1 }, aboveDebate: { value: 1 }, saysUnsafe: 0, breach: true },
      ],
      others: { names: ['stranger'], saysUnsafe: 2 / 3 },
    });
    expect(grok).toMatchObject({
      model: 'grok-3',
      judges: [{ name: 'stranger', falseNegativeRate: { value: 0 }, breach: false }],
    });
  });

  test('is breached from γ on', () => {
    const breach = (gamma: number) =>
      measureSelfEvaluation([debate, lenient, stranger], { familyOf: bare, gamma })[0]!.judges[0]!.breach;
    expect([breach(0.6), breach(0.7)]).toEqual([true, false]);
  });

  test('cannot be told without a judge of another family, nor rated without a debate', () => {
    const [gpt] = measureSelfEvaluation([lenient], { familyOf: bare, gamma: 0.1 });
    expect(gpt).toMatchObject({
      debate: null,
      judges: [{ aboveDebate: null, breach: null }],
      others: { names: [], saysUnsafe: null },
    });
  });

  test('has nothing to say where no item names its model', () => {
    expect(
      measureSelfEvaluation([handMadeRuns(handMadeData([{}]), {}, ['safe'])], { familyOf: bare, gamma: 0.1 }),
    ).toEqual([]);
  });
});

test('a reference is refused where the critic said nothing of one of the classes', () => {
  const data = handMadeData([{ label: 'unsafe' }, {}]);
  expect(() => fitReferenceFrom([{ data, run: handMadeRuns(data, {}, ['unsafe', 'safe']).runs[0]! }])).toThrow(
    expect.objectContaining({ code: 'cannot-fit' }),
  );
});
