import { describe, expect, test } from 'vitest';
import { computeStage, isReviewed, type SecondReview } from './review-stage.ts';

type Said = [by: string, label: 'safe' | 'unsafe'];

const after = (label: string | null, said: Said[], secondReview?: SecondReview, unsure = true) =>
  computeStage({ label, unsure, decisions: said.map(([by, one]) => ({ by, label: one })) }, secondReview);

describe('where a case stands with its reviewers', () => {
  test('an unsure case waits for a first person, a certain one for nobody', () => {
    expect(after('safe', [])).toBe('first');
    expect(after('safe', [], 'contradicted', false)).toBeNull();
    expect(after(null, [['ann', 'safe']])).toBeNull();
  });

  test('who confirms the verdict ends it; who contradicts it is followed by a second, also where it was certain', () => {
    expect(after('safe', [['ann', 'safe']])).toBe('done');
    expect(after('safe', [['ann', 'unsafe']])).toBe('second');
    expect(after('safe', [['ann', 'unsafe']], 'contradicted', false)).toBe('second');
  });

  test('what was left undecided takes two who agree', () => {
    expect(after('undecided', [['ann', 'safe']])).toBe('second');
    expect(
      after('undecided', [
        ['ann', 'safe'],
        ['bob', 'safe'],
      ]),
    ).toBe('done');
  });

  test('two who disagree are in dispute, and the next one settles it', () => {
    expect(
      after('safe', [
        ['ann', 'unsafe'],
        ['bob', 'safe'],
      ]),
    ).toBe('dispute');
    expect(
      after('safe', [
        ['ann', 'unsafe'],
        ['bob', 'safe'],
        ['cleo', 'unsafe'],
      ]),
    ).toBe('done');
    expect(
      after('safe', [
        ['ann', 'unsafe'],
        ['bob', 'safe'],
        ['cleo', 'unsafe'],
        ['dan', 'safe'],
      ]),
    ).toBe('done');
  });

  test('who decides twice is still one person, and their last word is what the second is held against', () => {
    expect(
      after('safe', [
        ['ann', 'unsafe'],
        ['ann', 'safe'],
      ]),
    ).toBe('second');
    expect(
      after('safe', [
        ['ann', 'unsafe'],
        ['ann', 'safe'],
        ['bob', 'safe'],
      ]),
    ).toBe('done');
    expect(
      after('safe', [
        ['ann', 'unsafe'],
        ['ann', 'safe'],
        ['bob', 'unsafe'],
      ]),
    ).toBe('dispute');
  });

  test('who confirmed the verdict and then contradicts it is followed by a second, unless others have decided since', () => {
    expect(
      after('safe', [
        ['ann', 'safe'],
        ['ann', 'unsafe'],
      ]),
    ).toBe('second');
    expect(
      after('safe', [
        ['ann', 'safe'],
        ['ann', 'unsafe'],
        ['bob', 'unsafe'],
      ]),
    ).toBe('done');
    expect(
      after(
        'safe',
        [
          ['ann', 'safe'],
          ['ann', 'unsafe'],
        ],
        'never',
      ),
    ).toBe('done');
    expect(
      after('safe', [
        ['ann', 'unsafe'],
        ['bob', 'unsafe'],
        ['ann', 'safe'],
        ['ann', 'unsafe'],
      ]),
    ).toBe('done');
  });

  test('labelled data settles a case at once', () => {
    expect(after('undecided', [['dataset:sample', 'unsafe']])).toBe('done');
    expect(
      after('safe', [
        ['ann', 'unsafe'],
        ['dataset:sample', 'safe'],
      ]),
    ).toBe('done');
  });

  test('a second review is always or never asked for, where that is set', () => {
    expect(after('safe', [['ann', 'safe']], 'always')).toBe('second');
    expect(
      after(
        'safe',
        [
          ['ann', 'safe'],
          ['bob', 'safe'],
        ],
        'always',
      ),
    ).toBe('done');
    expect(after('undecided', [['ann', 'unsafe']], 'never')).toBe('done');
  });

  test('replays, documents and what was forgotten are not reviewed; an appeal is', () => {
    const kept = { reviewed: 1, again_how: null, forgotten_at: null };
    expect(isReviewed(kept)).toBe(true);
    expect(isReviewed({ ...kept, again_how: 'appeal' })).toBe(true);
    expect(isReviewed({ ...kept, again_how: 'replay' })).toBe(false);
    expect(isReviewed({ ...kept, reviewed: 0 })).toBe(false);
    expect(isReviewed({ ...kept, forgotten_at: '2026-01-01T00:00:00.000Z' })).toBe(false);
  });
});
