import { expect, test } from 'vitest';
import { joinLine, takeSlot, type WaitingLine } from './waiting-line.ts';

test('a slot takes a request and the estimated tokens, and gives back once what was not used', () => {
  const told: (string | number)[] = [];
  const slot = takeSlot(100, {
    requests: { take: (units) => told.push('request', units) },
    tokens: { take: (units) => told.push('tokens', units), giveBack: (units) => told.push('back', units) },
    onRelease: () => told.push('free'),
  });
  expect(told).toEqual(['request', 1, 'tokens', 100]);
  slot.release(30);
  slot.release(0);
  slot.release();
  expect(told.slice(4)).toEqual(['back', 70, 'free']);
  let free = 0;
  takeSlot(5, { requests: null, tokens: null, onRelease: () => (free += 1) }).release();
  expect(free).toBe(1);
});

test('a slot that is released without a word used what was estimated', () => {
  const back: number[] = [];
  const tokens = { take() {}, giveBack: (units: number) => back.push(units) };
  takeSlot(100, { requests: null, tokens, onRelease() {} }).release();
  expect(back).toEqual([0]);
});

test('who waits stands at the end until admitted or refused, and leaves at once with their signal', async () => {
  const line: WaitingLine = new Set();
  let left = 0;
  const { signal: never } = new AbortController();
  const gone = new AbortController();
  const join = (tokens: number, signal = never) => joinLine(line, tokens, signal, () => (left += 1));
  const [first, second, third] = [join(1), join(2, gone.signal), join(3)];
  expect([...line].map(({ tokens }) => tokens)).toEqual([1, 2, 3]);
  gone.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  expect([left, line.size]).toEqual([1, 2]);
  const slot = { release() {} };
  const [one, other] = line;
  one!.admit(slot);
  other!.refuse(new Error('closed'));
  expect(await first).toBe(slot);
  await expect(third).rejects.toThrow('closed');
});

test('who was admitted or refused stays so, whatever becomes of their signal', async () => {
  const line: WaitingLine = new Set();
  let left = 0;
  const later = new AbortController();
  const joined = [1, 2].map((tokens) => joinLine(line, tokens, later.signal, () => (left += 1)));
  const [one, other] = line;
  one!.admit({ release() {} });
  other!.refuse(new Error('closed'));
  later.abort();
  await Promise.allSettled(joined);
  expect(left).toBe(0);
});
