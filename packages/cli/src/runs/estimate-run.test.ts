import { expect, test } from 'vitest';
import type { RunEstimate } from '@agonhq/core/runs';
import { renderEstimate } from './estimate-run.ts';

const about = (expected: number) => ({ expected, low: expected * 0.9, high: expected * 1.1 });
const estimate: RunEstimate = {
  version: 1,
  job: 'moderation',
  input: { items: 12_000, broken: 1, judged: 10_000 },
  sample: { items: 50, seed: 1, failed: { 'text-too-long': 2 }, unargued: 0 },
  perItem: { calls: about(5), inputTokens: about(5_000), outputTokens: about(500), usd: about(0.002) },
  run: { calls: about(50_000), inputTokens: about(50e6), outputTokens: about(5e6), usd: about(20) },
  allRounds: { calls: about(60_000), inputTokens: about(60e6), outputTokens: about(6e6), usd: about(24) },
  atMost: { calls: 60_000, inputTokens: 300e6, outputTokens: 40e6, usd: 90 },
  byModel: [
    { model: 'openai:gpt-4o-mini', calls: 50_000, inputTokens: 50e6, outputTokens: 5e6, usd: 20, atMostUsd: 90 },
  ],
  bySeat: [
    {
      seat: 'arbiter',
      model: 'openai:gpt-4o-mini',
      calls: 10_000,
      inputTokens: 15e6,
      outputTokens: 2e6,
      usd: 8,
      pastTurns: null,
    },
    {
      seat: 'supporter',
      model: 'openai:gpt-4o-mini',
      calls: 10_000,
      inputTokens: 5e6,
      outputTokens: 1e6,
      usd: 2,
      pastTurns: 84,
    },
  ],
  time: { seconds: 3_725, bound: 'openai:gpt-4o-mini: 8 at once', bounds: [] },
  cascade: {
    debated: { expected: 0.2, low: 0.1, high: 0.3 },
    saved: { calls: 200_000, inputTokens: 2e8, outputTokens: 2e7, usd: 80 },
  },
  budget: { usd: 15, tokens: null, covers: 'no', items: 7_500 },
  assumptions: ['Retries are not counted.'],
};

const text = (changed: Partial<RunEstimate> = {}) => renderEstimate({ ...estimate, ...changed }).join('\n');

test('an estimate says what the run takes, what it takes at most, and what decides how long', () => {
  expect(text()).toContain('about $20.00 ($18.00 to $22.00), at most $90.00; $0.0020 per item');
  expect(text()).toContain('about $24.00, 60,000 calls, if no debate ends early');
  expect(text()).toContain('12,000, 1 line cannot be read; about 2,000 are duplicates');
  expect(text()).toContain('about 1 h 2 min, for openai:gpt-4o-mini: 8 at once');
  expect(text()).toContain('2 could not be judged (2 text-too-long)');
  expect(text()).toContain('20.0 % debated (10.0 % to 30.0 %); saves 200,000 calls and $80.00');
  expect(text()).toContain('Retries are not counted.');
});

test('each seat says where the length of its answers comes from', () => {
  expect(text()).toMatch(/arbiter .* assumed$/m);
  expect(text()).toMatch(/supporter .* from 84 turns$/m);
});

test('a budget says whether it covers the run', () => {
  expect(text()).toContain('$15.00 does not cover the run: it would stop after about 7,500 of 10,000 items');
  expect(text({ budget: { usd: 100, tokens: 1_000, covers: 'surely', items: null } })).toContain(
    '$100.00 and 1,000 tokens covers the run even in the worst case',
  );
  expect(text({ budget: null })).not.toContain('budget');
});

test('where a price is not known there are tokens and no dollars', () => {
  const unpriced = text({
    allRounds: null,
    run: { ...estimate.run, usd: null },
    perItem: { ...estimate.perItem, usd: null },
    cascade: null,
    budget: null,
    byModel: [{ ...estimate.byModel[0]!, usd: null, atMostUsd: null }],
    bySeat: [],
  });
  expect(unpriced).toContain('price unknown');
  expect(unpriced).toContain('55,000,000) in');
  expect(unpriced).not.toContain('$');
});

test('a run without models has no tables', () => {
  expect(text({ byModel: [], bySeat: [] })).not.toContain('by seat');
});
