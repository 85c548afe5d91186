import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeUpResult, measureMadeUp } from '@agonhq/test/support/made-up-result.ts';
import { checkThresholds, readThresholds } from './thresholds.ts';

const systems = [
  { name: 'judge:openai:larch-1', kind: 'debate', skill: 3, rounds: 1 },
  { name: 'open', kind: 'baseline', skill: 1, undecided: 0.4, failed: 0.2 },
] as const;
const letters = measureMadeUp(makeUpResult({ items: 40, systems }));
const claims = measureMadeUp(
  makeUpResult({
    title: 'Claims, old',
    classes: ['entailed', 'refuted'],
    positive: null,
    items: 20,
    seed: 2,
    systems: [systems[0]],
  }),
);

describe('reading thresholds', () => {
  test.each([
    ['f1=.85', { metric: 'f1', value: 0.85, system: null, set: null }],
    ['F1 = 85%', { metric: 'f1', value: 0.85, system: null, set: null }],
    ['balanced-accuracy=0.8', { metric: 'balancedAccuracy', value: 0.8, system: null, set: null }],
    ['judge:openai:gpt-5:f1=.9', { metric: 'f1', value: 0.9, system: 'judge:openai:gpt-5', set: null }],
    ['*:failed=0', { metric: 'failed', value: 0, system: '*', set: null }],
    ['embedded:f1=.9@AIR-Bench, text', { metric: 'f1', value: 0.9, system: 'embedded', set: 'AIR-Bench, text' }],
    ['usd-per-item=0.002', { metric: 'usdPerItem', value: 0.002, system: null, set: null }],
    ['tokensPerItem=4000', { metric: 'tokensPerItem', value: 4000, system: null, set: null }],
  ])('%s', (text, threshold) => {
    expect(readThresholds([text])).toEqual([{ ...threshold, text }]);
  });

  test('a comma separates several, but is part of a name elsewhere', () => {
    expect(readThresholds(['accuracy=0.8,auc=.9', 'a,b:f1=1'])).toMatchObject([
      { metric: 'accuracy', value: 0.8 },
      { metric: 'auc', value: 0.9 },
      { metric: 'f1', system: 'a,b' },
    ]);
  });

  test.each([['f1'], ['f1='], ['=.5'], ['f1=high'], [''], ['f1=-1'], ['f1=.9 or so'], ['f1=1e9']])(
    '%j is refused with the form',
    (text) => {
      expect(() => readThresholds([text])).toThrow(expect.objectContaining({ code: 'bad-flag' }));
    },
  );

  test('an unknown metric is refused with those that are known', () => {
    expect(() => readThresholds(['fame=1'])).toThrow(
      expect.objectContaining({
        code: 'bad-flag',
        message: 'There is no metric "fame" for a threshold.',
        hint: expect.stringContaining('balancedAccuracy') as string,
      }),
    );
  });

  test('a share above one is refused: 85 was meant as .85', () => {
    expect(() => readThresholds(['f1=85'])).toThrow(expect.objectContaining({ hint: 'Write f1=.85 or f1=85%.' }));
  });

  test('what is written is what is read', () => {
    fc.assert(
      fc.property(fc.constantFrom('f1', 'ece', 'auc'), fc.integer({ min: 0, max: 1000 }), (metric, thousandths) => {
        expect(readThresholds([`${metric}=${thousandths / 1000}`])).toMatchObject([
          { metric, value: thousandths / 1000 },
        ]);
      }),
    );
  });
});

describe('checking thresholds', () => {
  const check = (text: string, sets = [letters]) => checkThresholds(sets, readThresholds([text]));

  test('is about the first system of every set unless another is named', () => {
    expect(check('accuracy=.1', [letters, claims]).map(({ set, system }) => [set, system])).toEqual([
      ['Made-up letters', 'judge:openai:larch-1'],
      ['Claims, old', 'judge:openai:larch-1'],
    ]);
    expect(check('open:accuracy=.1', [letters, claims]).map(({ set }) => set)).toEqual(['Made-up letters']);
    expect(check('*:accuracy=.1').map(({ system }) => system)).toEqual(['judge:openai:larch-1', 'open']);
    expect(check('accuracy=.1@claims,-old.jsonl', [letters, claims]).map(({ set }) => set)).toEqual(['Claims, old']);
  });

  test('what is better high must be reached, what is better low must not be exceeded', () => {
    const { value } = check('f1=.1')[0]!;
    expect(check(`f1=${value}`)[0]!.passed).toBe(true);
    expect(check(`f1=${(value! + 0.001).toFixed(6)}`)[0]!.passed).toBe(false);
    const { value: error } = check('ece=1')[0]!;
    expect(check(`ece=${(error! + 0.001).toFixed(6)}`)[0]!.passed).toBe(true);
    expect(check(`ece=${(error! - 0.001).toFixed(6)}`)[0]!.passed).toBe(false);
    expect(check('*:undecided=0').map(({ passed }) => passed)).toEqual([true, false]);
  });

  test('what cannot be measured does not pass', () => {
    expect(check('f1=.1', [claims])).toMatchObject([{ value: null, passed: false }]);
  });

  test.each([
    ['nobody:f1=.5', 'judge:openai:larch-1, open'],
    ['f1=.5@Nowhere', 'Made-up letters'],
  ])('%s is refused with the names that there are', (text, names) => {
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'bad-flag', hint: `Measured: ${names}.` }));
  });
});
