import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Usage } from '@agonhq/engine/debate';
import { difference } from '../jobs/safety/metrics.ts';
import type { SafetyOutcome } from '../jobs/safety/run-safety.ts';
import type { BenchResult, BenchItemResult, ResultTurn, SystemResult } from '../result.ts';
import { computeDebateGains } from './debate-gains.ts';
import { accuracy, f1 } from '@agonhq/engine/statistics';

const noted = (tokens: number, costUsd: number | null = 0): Usage => ({
  calls: 1,
  inputTokens: tokens,
  outputTokens: 0,
  cachedTokens: 0,
  costUsd,
});
const turn = (round: number | null): ResultTurn => ({
  key: `round-${round}/seat`,
  seat: 'seat',
  round,
  statement: '',
  score: null,
  label: null,
  quotes: [],
  fallback: null,
});

interface Said {
  said: string;
  opening?: string;
  usage?: Usage | null;
  turns?: ResultTurn[];
}

function outcome({ said, opening, usage = noted(0), turns = [] }: Said): BenchItemResult {
  return {
    said,
    score: null,
    opening: opening === undefined ? null : { said: opening, score: null },
    usage,
    byModel: {},
    latencyMs: 1,
    rule: null,
    problem: null,
    turns,
  };
}

function system(name: string, repeats: readonly (readonly Said[])[], more: Partial<SystemResult> = {}): SystemResult {
  return {
    name,
    configuration: 'sha256:1',
    kind: 'debate',
    models: ['openai:gpt-4o'],
    of: null,
    rounds: 2,
    trained: null,
    repeats: repeats.map((repeat) => repeat.map(outcome)),
    itemsPerSecond: null,
    ...more,
  };
}

const control = (repeats: readonly (readonly Said[])[], of = 'debate') =>
  system('control', repeats, { kind: 'control', of });

function result(
  gold: readonly (string | null)[],
  systems: SystemResult[],
  more: Partial<BenchResult> = {},
): BenchResult {
  return {
    job: 'moderation',
    data: { title: 'ours', file: 'ours.jsonl', sha256: '0', format: 'agon', published: [] },
    classes: ['safe', 'unsafe'],
    positive: 'unsafe',
    parameters: { seed: 1, repeats: 1, invalid: 'error' },
    items: gold.map((label, index) => ({
      line: index + 1,
      id: `item-${index + 1}`,
      gold: label,
      category: null,
      modality: 'text',
      trivial: false,
      raters: null,
      model: null,
      excerpt: '',
    })),
    systems,
    notes: [],
    ...more,
  };
}

describe('over its own opening vote', () => {
  const [receipt] = computeDebateGains(
    result(
      ['unsafe', 'unsafe', 'safe', 'safe', 'unsafe'],
      [
        system('debate', [
          [
            { said: 'unsafe', opening: 'safe' },
            { said: 'unsafe', opening: 'unsafe' },
            { said: 'unsafe', opening: 'safe' },
            { said: 'undecided', opening: 'unsafe' },
            { said: 'unsafe', opening: 'undecided' },
          ],
        ]),
      ],
    ),
  );

  test('a debate is told what it changed for the better, for the worse, and from wrong to wrong', () => {
    expect(receipt!.overOpening!.better).toEqual([
      { line: 1, id: 'item-1', gold: 'unsafe', from: 'safe', to: 'unsafe' },
      { line: 5, id: 'item-5', gold: 'unsafe', from: 'undecided', to: 'unsafe' },
    ]);
    expect(receipt!.overOpening!.worse).toEqual([{ line: 3, id: 'item-3', gold: 'safe', from: 'safe', to: 'unsafe' }]);
    expect(receipt!.overOpening!.otherwise).toEqual([
      { line: 4, id: 'item-4', gold: 'safe', from: 'unsafe', to: 'undecided' },
    ]);
  });

  test('and how many points that is: F1 from 2/5 to 6/8, accuracy from 2/5 to 3/5', () => {
    const { metric, gain, accuracy: right, items } = receipt!.overOpening!;
    expect([metric, items]).toEqual(['f1', 5]);
    expect(gain.value).toBeCloseTo(6 / 8 - 2 / 5, 12);
    expect(right.value).toBeCloseTo(1 / 5, 12);
  });

  test('an item where nobody spoke alone is out of the comparison, and counted', () => {
    const [one] = computeDebateGains(
      result(['unsafe', 'safe'], [system('debate', [[{ said: 'unsafe', opening: 'safe' }, { said: 'unsafe' }]])]),
    );
    expect(one!.overOpening).toMatchObject({ items: 1, leftOut: 1, worse: [], accuracy: { value: 1 } });
  });

  test('a debate without any opening has no such figure', () => {
    expect(computeDebateGains(result(['safe'], [system('debate', [[{ said: 'safe' }]])]))[0]!.overOpening).toBeNull();
  });

  test('what came after the opening is estimated by its share of the turns', () => {
    const turns = [turn(null), turn(1), turn(1), turn(2), turn(2), turn(null)];
    const [one] = computeDebateGains(
      result(['safe'], [system('debate', [[{ said: 'safe', opening: 'safe', usage: noted(600, 0.06), turns }]])]),
    );
    expect(one!.overOpening).toMatchObject({ extraTokens: 300, extraUsd: 0.03, estimated: true });
  });

  test('without turns, or without a price, nobody knows what it cost', () => {
    const [untold] = computeDebateGains(
      result(['safe'], [system('debate', [[{ said: 'safe', opening: 'safe', usage: noted(600, 0.06) }]])]),
    );
    const [unpriced] = computeDebateGains(
      result(
        ['safe'],
        [system('debate', [[{ said: 'safe', opening: 'safe', usage: noted(600, null), turns: [turn(1), turn(2)] }]])],
      ),
    );
    expect(untold!.overOpening).toMatchObject({ extraTokens: null, extraUsd: null });
    expect(unpriced!.overOpening).toMatchObject({ extraTokens: 300, extraUsd: null });
  });
});

describe('over the control', () => {
  const votes: Said[] = [
    { said: 'safe', usage: noted(90, 0.1) },
    { said: 'safe', usage: noted(110, 0.1) },
  ];
  const debate: Said[] = [
    { said: 'unsafe', usage: noted(100, 0.2) },
    { said: 'safe', usage: noted(120, 0.3) },
  ];

  test('it is what the debate of the same name did better on the same items, and what it spent more by item', () => {
    const [receipt] = computeDebateGains(
      result(['unsafe', 'safe'], [system('other', [debate]), system('debate', [debate]), control([votes])]),
    ).slice(1);
    expect(receipt).toMatchObject({
      debate: 'debate',
      withoutControl: null,
      overControl: {
        control: 'control',
        extraTokens: 10,
        better: [{ line: 1 }],
        worse: [],
        otherwise: [],
        accuracy: { value: 0.5 },
        estimated: false,
      },
    });
    expect(receipt!.overControl!.extraUsd).toBeCloseTo(0.15, 12);
  });

  test('with repeats, figures are means and lists are of the first', () => {
    const [receipt] = computeDebateGains(
      result(['unsafe', 'safe'], [system('debate', [debate, votes]), control([votes, votes])]),
    );
    expect(receipt!.overControl).toMatchObject({ accuracy: { value: 0.25 }, better: [{ line: 1 }] });
  });

  test('a control that judged once stands for every repeat', () => {
    const [receipt] = computeDebateGains(
      result(['unsafe', 'safe'], [system('debate', [debate, votes]), control([votes])]),
    );
    expect(receipt!.overControl!.accuracy.value).toBe(0.25);
  });

  test.each([
    ['embedded seats', system('debate', [debate], { models: ['embedded:guard-2'] }), [], /spend no tokens/],
    ['a debate without one', system('debate', [debate]), [], /No control was measured/],
    [
      'one of another debate',
      system('debate', [debate]),
      [control([votes], 'other')],
      /control spent what other spent/,
    ],
    [
      'one that failed everywhere',
      system('debate', [debate]),
      [
        control([
          [
            { said: 'failed', usage: null },
            { said: 'failed', usage: null },
          ],
        ]),
      ],
      /judged no item/,
    ],
  ])('%s: none, and the receipt says why', (_, measured, others, why) => {
    const [receipt] = computeDebateGains(result(['unsafe', 'safe'], [measured, ...others]));
    expect(receipt!.overControl).toBeNull();
    expect(receipt!.withoutControl).toMatch(why);
  });
});

test('only debates have a receipt', () => {
  const systems = (['ablation', 'baseline', 'external', 'control'] as const).map((kind) =>
    system(kind, [[{ said: 'safe' }]], { kind }),
  );
  expect(computeDebateGains(result(['safe'], systems))).toEqual([]);
});

test("by the paper's rule, what one side did not decide is left out of both", () => {
  const debate = system('debate', [
    [
      { said: 'unsafe', opening: 'undecided' },
      { said: 'failed', opening: 'safe' },
      { said: 'unsafe', opening: 'safe' },
    ],
  ]);
  const [receipt] = computeDebateGains(
    result(['unsafe', 'safe', 'unsafe'], [debate], { parameters: { seed: 1, repeats: 1, invalid: 'exclude' } }),
  );
  expect(receipt!.overOpening).toMatchObject({
    items: 1,
    leftOut: 2,
    accuracy: { value: 1 },
    gain: { value: 1 },
    better: [{ line: 3 }],
    worse: [],
    otherwise: [],
  });
});

test('claims have no positive class: the gain is in balanced accuracy, the mean recall of the classes there are', () => {
  const debate = system('debate', [
    [
      { said: 'entailed', opening: 'entailed' },
      { said: 'entailed', opening: 'entailed' },
      { said: 'refuted', opening: 'neutral' },
    ],
  ]);
  const [receipt] = computeDebateGains(
    result(['entailed', 'entailed', 'refuted'], [debate], {
      job: 'documents',
      classes: ['entailed', 'refuted', 'neutral'],
      positive: null,
    }),
  );
  expect(receipt!.overOpening).toMatchObject({ metric: 'balancedAccuracy', gain: { value: 0.5 } });
});

test('a broken line is an error of both sides, and no change', () => {
  const [receipt] = computeDebateGains(
    result(
      [null, 'unsafe'],
      [system('debate', [[{ said: 'failed' }, { said: 'unsafe' }]]), control([[{ said: 'failed' }, { said: 'safe' }]])],
    ),
  );
  expect(receipt!.overControl).toMatchObject({
    items: 2,
    better: [{ line: 2 }],
    otherwise: [],
    accuracy: { value: 0.5 },
  });
  expect(receipt!.overControl!.gain.value).toBeCloseTo(2 / 3, 12);
});

test('gains are the differences of the bench on the same resamples, whatever was said', () => {
  const label = fc.constantFrom('safe' as const, 'unsafe' as const);
  const said = fc.constantFrom('safe' as const, 'unsafe' as const, 'undecided' as const, 'failed' as const);
  fc.assert(
    fc.property(
      fc.array(fc.record({ gold: fc.option(label), from: said, to: said }), { minLength: 1, maxLength: 12 }),
      (items) => {
        const [receipt] = computeDebateGains(
          result(
            items.map(({ gold }) => gold),
            [
              system('debate', [items.map(({ to }) => ({ said: to }))]),
              control([items.map(({ from }) => ({ said: from }))]),
            ],
          ),
        );
        const outcomes = (side: 'from' | 'to') => [
          items.map((item): SafetyOutcome => ({
            unsafe: item.gold === null ? null : item.gold === 'unsafe',
            said: item[side],
            score: null,
            rawScore: null,
          })),
        ];
        expect(receipt!.overControl!.gain).toEqual(difference(outcomes('to'), outcomes('from'), f1));
        expect(receipt!.overControl!.accuracy).toEqual(difference(outcomes('to'), outcomes('from'), accuracy));
      },
    ),
    { numRuns: 20 },
  );
});

test('the same result gives the same receipt to the byte', () => {
  const make = () =>
    computeDebateGains(
      result(
        ['unsafe', 'safe', 'unsafe'],
        [
          system('debate', [
            [
              { said: 'unsafe', opening: 'safe' },
              { said: 'safe', opening: 'safe' },
              { said: 'safe', opening: 'unsafe' },
            ],
          ]),
        ],
      ),
    );
  expect(JSON.stringify(make())).toBe(JSON.stringify(make()));
});
