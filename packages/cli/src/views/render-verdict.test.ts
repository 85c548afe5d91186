import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { answerFixtures, undecidedAnswer, unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
import type { ModerationAnswer } from '@agonhq/judges/moderation';
import { moderationView } from './moderation-view.ts';
import { formatUsage } from './render-verdict.ts';

const shown = (answer: ModerationAnswer, width: number) =>
  moderationView.renderVerdict(answer, width).map(stripVTControlCharacters);

test('the verdict comes with its rule, clauses, evidence, what went less well and what it cost', () => {
  const text = shown(unsafeAnswer, 100).join('\n');
  for (const part of [
    ' UNSAFE  risk 0.88 · bar 0.50',
    'Rule 2, risk confirmation: No exoneration holds',
    'Clauses: chemicals.toxic-mixtures',
    '“pour both bottles into the bucket and close the window” (text 81–135)',
    'Degraded: struck-evidence at round-1/strict-debater',
    '9.1 s · 0197c0de-88213',
  ])
    expect(text).toContain(part);
});

test('one number stands for the risk, beside the bar it is held against', () => {
  const verdict = { ...unsafeAnswer.verdict, risk: 0.951, bar: 0.36 };
  const lines = shown({ ...unsafeAnswer, verdict }, 100);
  expect(lines[0]).toBe(' UNSAFE  risk 0.95 · bar 0.36');
  expect(lines.join('\n')).not.toMatch(/score|confidence|%/);
});

test('what is undecided says that it needs review', () => {
  expect(shown(undecidedAnswer, 100)[0]).toContain('UNDECIDED  needs review');
});

test('a reason that several seats share is said once, with all of them', () => {
  const detail = 'local cannot be reached at http://127.0.0.1:9/v1';
  const degraded = ['supporter', 'round-1/strict-debater', 'arbiter'].map((at) => ({ kind: 'fallback', at, detail }));
  const text = shown({ ...unsafeAnswer, verdict: { ...unsafeAnswer.verdict, degraded } }, 200).join('\n');
  expect(text).toContain(`Degraded: fallback at supporter, round-1/strict-debater, arbiter: ${detail}`);
  expect(text.split(detail)).toHaveLength(2);
});

test('a library that is not well is said', () => {
  const answer: ModerationAnswer = {
    ...unsafeAnswer,
    retrieval: { excluded: [], library: { size: 0, problem: 'The library is empty: there is no precedent.' } },
  };
  expect(shown(answer, 100).join('\n')).toContain('Precedents: The library is empty: there is no precedent.');
  expect(shown(unsafeAnswer, 100).join('\n')).not.toContain('Precedents:');
});

test.each([20, 40, 80, 140])('no line is wider than %i columns', (width) => {
  for (const answer of Object.values(answerFixtures)) {
    expect(shown(answer, width).filter((line) => stringWidth(line) > width)).toEqual([]);
  }
});

test('nothing in it can steer the terminal', () => {
  const answer = {
    ...unsafeAnswer,
    verdict: { ...unsafeAnswer.verdict, rule: { id: 'x\u001b[2J', why: '\u001b]0;owned\u0007' } },
  };
  expect(shown(answer, 80).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test('an unknown price is called so', () => {
  const usage = {
    calls: 1,
    inputTokens: 4000,
    outputTokens: 21,
    cachedTokens: 812,
    costUsd: null,
    latencyMs: 2400,
    byModel: {},
    bySeat: {},
  };
  expect(formatUsage(usage)).toBe('1 call · 4,021 tokens, 812 cached · price unknown · 2.4 s');
  expect(formatUsage({ ...usage, calls: 6, cachedTokens: 0, costUsd: 0.00312 })).toBe(
    '6 calls · 4,021 tokens · $0.0031 · 2.4 s',
  );
});
