import { describe, expect, test } from 'vitest';
import type { Precedent } from '@agonhq/engine/debate';
import { findExonerations, type ExonerationKind } from './exoneration.ts';
import { computeMargin, splitPassages } from './passages.ts';
import {
  contextNames,
  distance,
  endSentence,
  explainContext,
  findSpeechAct,
  isClose,
  isPlain,
  isWhole,
  quoted,
  quoteSome,
} from './phrase-arguments.ts';
import { citePrecedent, describeLikeness, missingWords, sharedWords } from './phrase-precedents.ts';
import { calibrationAt, computeLogit, moveBar, writeRisk, type FittedBar } from './weights.ts';

describe('what somebody does by saying something', () => {
  test.each([
    ['How do I repair a bicycle?', 'request'],
    ['Please write a poem.', 'request'],
    ['I need a plan to get home', 'request'],
    ['You are so kind.', 'address'],
    ['@ada come home', 'address'],
    ['The train was late.', 'account'],
    ['What a day!', 'account'],
    ['', 'account'],
  ])('“%s” is a %s', (text, act) => {
    expect(findSpeechAct(text)).toBe(act);
  });
});

describe('benign contexts', () => {
  const shown: Record<ExonerationKind, string> = {
    refusal: "I can't help with that.",
    condemnation: 'Shame on whoever did this.',
    prevention: 'Here is how to recognise the warning signs.',
    'self-defence': 'I had to defend myself.',
    quotation: 'He told me to go.',
    negation: 'I would never want that.',
    fiction: 'In my novel the king dies.',
    news: 'Police said two men were arrested.',
    education: 'It is for my history class.',
    figurative: 'How do I kill a process?',
  };

  test.each(Object.entries(shown))('%s is found where it is said, named and explained', (kind, text) => {
    const found = findExonerations(text).find((one) => one.kind === kind)!;
    expect(found).toBeDefined();
    expect(text.slice(found.start, found.end).trim()).toBe(text.slice(found.start, found.end));
    expect(contextNames[kind as ExonerationKind]).not.toBe('');
    expect(explainContext({ kind: kind as ExonerationKind, quote: 'so it is' })).toMatch(/^“so it is” \S/);
  });

  test('are found anew in every text, the first of each kind', () => {
    const text = 'In my novel, and in this film.';
    expect(findExonerations(text)).toEqual([{ kind: 'fiction', start: 0, end: 11 }]);
    expect(findExonerations(text)).toEqual(findExonerations(text));
    expect(findExonerations('The train was late.')).toEqual([]);
  });
});

test('a quotation is short, on one line and without the mark that ends it', () => {
  expect([quoted('Go home.'), quoted('Go\nhome?'), quoted('a.b…')]).toEqual(['“Go home”', '“Go home?”', '“a.b”']);
  expect(quoted('word '.repeat(40)).length).toBeLessThanOrEqual(93);
  expect([endSentence('He said “go”'), endSentence('He said “go?”')]).toEqual(['He said “go”.', 'He said “go?”']);
  expect([quoteSome(['a', 'b', 'c']), quoteSome(['a', 'b', 'c'], 3), quoteSome(['a'])]).toEqual([
    '“a” and “b”',
    '“a”, “b” and “c”',
    '“a”',
  ]);
  expect([isWhole('12345678', '1234567890'), isWhole('123456789', '1234567890')]).toEqual([false, true]);
});

test('how far something stands from the bar is said in a word', () => {
  const words = [0, 0.59, 0.6, -1.69, 1.7, 2.99, -3].map(distance);
  expect(words).toEqual([
    'just above',
    'just above',
    'somewhat above',
    'somewhat below',
    'clearly above',
    'clearly above',
    'far below',
  ]);
  expect([isClose(0.59), isClose(-0.6), isPlain(2.99), isPlain(-3)]).toEqual([true, false, false, true]);
});

describe('precedents in words', () => {
  const precedentOf = (id: string, more: Partial<Precedent> = {}): Precedent => ({
    id,
    label: 'unsafe',
    category: null,
    summary: 'Somebody plans a robbery.',
    cues: [],
    why: '',
    similarity: 0.7,
    ...more,
  });

  test('are nearly the same, much alike or of a kind, by their similarity or their picture', () => {
    expect([0.8, 0.79, 0.6, 0.59].map((similarity) => describeLikeness({ similarity }))).toEqual([
      'nearly the same',
      'much like it',
      'much like it',
      'of the same kind',
    ]);
    const pictures = [
      { distance: 0, of: 256, mirrored: false },
      { distance: 12, of: 256, mirrored: true },
    ].map((picture) => describeLikeness({ similarity: 0, picture }));
    expect(pictures[0]).toBe('the same picture: distance 0 of 256');
    expect(pictures[1]).toMatch(/^the same picture, mirrored, cropped.*: distance 12 of 256$/);
  });

  test('are cited with who decided, what is shared and how many are like them', () => {
    const text = 'A plan for a robbery tomorrow';
    const cite = (...precedents: Precedent[]) => citePrecedent(precedents, 'unsafe', text);
    expect(cite(precedentOf('a', { label: 'safe' }))).toBe('');
    expect(cite(precedentOf('a'))).toBe(
      ' A case that was decided unsafe is much like it: “Somebody plans a robbery”, and both speak of “robbery”.',
    );
    const two = cite(precedentOf('a', { label: 'safe' }), precedentOf('b', { confirmedBy: 'ada' }), precedentOf('c'));
    expect(two).toContain('people here decided to be unsafe');
    expect(two).toMatch(/One other like it was unsafe too\.$/);
    expect(cite(...['a', 'b', 'c'].map((id) => precedentOf(id)))).toContain('Two others like it were unsafe too.');
    expect(cite(...Array.from('abcdefgh', (id) => precedentOf(id)))).toContain('Several others');
  });

  test('share words that mean something', () => {
    expect(sharedWords('The robbery of a bank', 'That bank, a robbery')).toEqual(['robbery', 'bank']);
    expect(missingWords('The robbery', 'A robbery with knives, which somebody wants')).toEqual(['knives']);
    expect(sharedWords('don’t rob them', 'don’t rob this')).toEqual([]);
  });
});

describe('the bar', () => {
  const fitted: FittedBar = { threshold: 0.4, band: [0.3, 0.5], sensitivity: { low: 0.7, balanced: 0.4, high: 0.2 } };

  test('of another sensitivity stands elsewhere, and the band of doubt moves with it', () => {
    expect(moveBar(fitted, 'balanced')).toEqual({ threshold: 0.4, band: [0.3, 0.5] });
    for (const [sensitivity, threshold] of [
      ['low', 0.7],
      ['high', 0.2],
    ] as const) {
      const moved = moveBar(fitted, sensitivity);
      expect(moved.threshold).toBe(threshold);
      for (const side of [0, 1] as const)
        expect(computeLogit(moved.band[side]) - computeLogit(threshold)).toBeCloseTo(
          computeLogit(fitted.band[side]) - computeLogit(0.4),
          2,
        );
    }
    expect(moveBar({ threshold: 0.4, band: [0.3, 0.5] }, 'high')).toEqual({ threshold: 0.4, band: [0.3, 0.5] });
  });

  test('is what a score of one half becomes', () => {
    expect(writeRisk(0.5, fitted)).toEqual({ risk: '0.40', bar: '0.40' });
    expect(Number(writeRisk(0.7, fitted).risk)).toBeGreaterThan(0.4);
    expect(calibrationAt(fitted)).toEqual({ a: 1, b: computeLogit(0.4), band: [0.3, 0.5] });
  });
});

describe('passages', () => {
  const textsOf = (text: string) => splitPassages(text).map(({ start, end }) => text.slice(start, end).trim());

  test('are sentences, and of a long one overlapping stretches of sixty words', () => {
    expect(textsOf('One is here. Two is there.')).toEqual(['One is here.', 'Two is there.']);
    const long = Array.from({ length: 130 }, (_, index) => `w${index}`).join(' ');
    const stretches = textsOf(long).map((text) => text.split(' '));
    expect(stretches.map((words) => [words[0], words.at(-1)])).toEqual([
      ['w0', 'w59'],
      ['w30', 'w89'],
      ['w60', 'w119'],
      ['w90', 'w129'],
    ]);
    expect(textsOf(Array.from({ length: 60 }, () => 'w').join(' '))).toHaveLength(1);
  });

  test('must stand out the more, the more of them there are', () => {
    const weights = { certain: 0, margin: 1, perDoubling: 0.5 };
    expect([1, 2, 8].map((count) => computeMargin(count, weights))).toEqual([1, 1.5, 2.5]);
  });
});
