import path from 'node:path';
import { expect, test } from 'vitest';
import { moderationJob } from '@agonhq/judges/moderation';
import { readFutureMoment, readNames, readPastMoment, readNumberRange, readReading } from './read-flags.ts';

test.each<[string, number[]]>([
  ['3', [3]],
  ['2..5', [2, 3, 4, 5]],
  ['1,4', [1, 4]],
  ['2..3, 3..4', [2, 3, 4]],
  ['4..4', [4]],
])('%s are the numbers %j', (text, numbers) => {
  expect(readNumberRange('--rounds', text, [1, 10])).toEqual(numbers);
});

test.each([['0'], ['11'], ['5..2'], ['1..99999999'], ['x'], [''], ['1,'], ['-1'], ['1.5']])('%j is refused', (text) => {
  expect(() => readNumberRange('--rounds', text, [1, 10])).toThrow(expect.objectContaining({ code: 'bad-flag' }));
});

test('the files that items name lie beside their input, or where --root says', () => {
  const rootOf = (flags: { file: string; root?: string }) => readReading(moderationJob, flags).root;
  expect(rootOf({ file: 'data/items.jsonl' })).toBe(path.resolve('data'));
  expect(rootOf({ file: '-' })).toBe(path.resolve('.'));
  expect(rootOf({ file: 'data/items.jsonl', root: 'images' })).toBe(path.resolve('images'));
});

test('a member of the context is mapped by its name there, and the line says so', () => {
  const known = ['id', 'label', 'text', 'context'];
  const meant = { meanings: ['safe', 'unsafe'], example: 'ok=safe' } as const;
  expect(readNames({ map: ['context.author=user'] }, known, meant).fields).toEqual({ 'context.author': 'user' });
  expect(() => readNames({ map: ['author=user'] }, known, meant)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('--map context.author=…') as string }),
  );
});

const now = new Date('2026-11-15T12:00:00Z');

test('a moment is so long ago, or a date', () => {
  expect(readPastMoment('--before', '90d', now)).toEqual(new Date('2026-08-17T12:00:00Z'));
  expect(readPastMoment('--before', '12h', now)).toEqual(new Date('2026-11-15T00:00:00Z'));
  expect(readPastMoment('--before', '2w', now)).toEqual(new Date('2026-11-01T12:00:00Z'));
  expect(readPastMoment('--before', '2026-01-31', now)).toEqual(new Date('2026-01-31'));
});

test('one that is to come is as far from now, or a date', () => {
  expect(readFutureMoment('--expires', '90d', now)).toEqual(new Date('2027-02-13T12:00:00Z'));
  expect(readFutureMoment('--expires', '12h', now)).toEqual(new Date('2026-11-16T00:00:00Z'));
  expect(readFutureMoment('--expires', '2027-01-31', now)).toEqual(new Date('2027-01-31'));
  expect(() => readFutureMoment('--expires', 'tomorrow', now)).toThrow(
    expect.objectContaining({ code: 'bad-flag', hint: expect.stringContaining('a duration (90d, 12h, 8w)') as string }),
  );
});

test.each(['90', 'yesterday', '2026-13-01', '-1d', '', '99999999d'])(
  '%j is none, and the line says what would be',
  (value) => {
    expect(() => readPastMoment('--since', value, now)).toThrow(
      expect.objectContaining({ code: 'bad-flag', hint: expect.stringContaining('90d') as string }),
    );
  },
);
