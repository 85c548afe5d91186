import { expect, test } from 'vitest';
import type { Gain, DebateGains } from '@agonhq/bench';
import { renderGains } from './show-gains.ts';

const change = (id: string | null, line = 7) => ({ line, id, gold: 'unsafe', from: 'safe', to: 'unsafe' });
const gain: Gain = {
  metric: 'f1',
  gain: { value: 0.0142, interval: [-0.003, 0.03] },
  accuracy: { value: 0, interval: null },
  extraTokens: 1240.4,
  extraUsd: 0.0031,
  better: [change('a'), change(null)],
  worse: [change('b')],
  otherwise: [],
  items: 407,
  leftOut: 3,
  estimated: true,
};
const receipt: DebateGains = {
  debate: 'full',
  overOpening: gain,
  overControl: {
    ...gain,
    control: 'control',
    estimated: false,
    leftOut: 0,
    extraTokens: -12,
    extraUsd: null,
    better: [],
    worse: [],
  },
  withoutControl: null,
};

test(
  'a receipt has points with their interval, items for the better and for the worse, tokens and dollars, in ' +
    'columns',
  () => {
    expect(renderGains(receipt, { screen: {} })).toEqual([
      'What full adds',
      '  compared with                   its opening vote                     control',
      '  F1                    +1.4 points (−0.3 to +3.0)  +1.4 points (−0.3 to +3.0)',
      '  accuracy                             ±0.0 points                 ±0.0 points',
      '  corrected                                2 items                     0 items',
      '  broken                                    1 item                     0 items',
      '  wrong in another way                     0 items                     0 items',
      '  tokens per item                     about +1,240                         −12',
      '  dollars per item                  about +$0.0031                     unknown',
      '  compared                   407 items, 3 left out                   407 items',
      '  corrected compared with its opening vote: a safe → unsafe, line 7 safe → unsafe',
      '  broken compared with its opening vote: b safe → unsafe',
    ]);
  },
);

test('without a control it says why; without an opening vote too', () => {
  const [, ...lines] = renderGains({
    debate: 'full',
    overOpening: null,
    overControl: null,
    withoutControl: 'Embedded seats spend no tokens.',
  });
  expect(lines).toEqual([expect.stringContaining('no opening vote'), '  Embedded seats spend no tokens.']);
});

test('an id cannot move the cursor, and long lists are cut', () => {
  const text = renderGains(
    {
      ...receipt,
      overControl: null,
      overOpening: { ...gain, better: [change('\u001b[2J'), change('c'), change('d')] },
    },
    { named: 2 },
  ).join('\n');
  expect(text).not.toContain('\u001b[2J');
  expect(text).toContain('c safe → unsafe, and 1 more');
});
