import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeScreen } from '@agonhq/test/support/screen.ts';
import { noUsage } from '@agonhq/engine/debate';
import type { Progress } from '@agonhq/core/runs';
import { openProgressLine } from './progress-line.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const progress: Progress = { judged: 40, failed: 2, skipped: 8, total: 100, running: 8, rate: 2.5, etaSeconds: 3725 };
const spent = () => ({ ...noUsage, calls: 300, costUsd: 0.25 });

function lineOn(screen: ReturnType<typeof fakeScreen>, quiet = false) {
  return openProgressLine({ quiet, spent, stream: screen as unknown as NodeJS.WriteStream });
}

test('in a terminal one line tells how far, how fast, how long and how much', () => {
  const screen = fakeScreen({ columns: 100 });
  const line = lineOn(screen);
  line.show(progress);
  expect(screen.text()).toBe('50/100 · 2.5/s · 1 h 2 min left · 8 running · 2 failed · $0.2500');
  vi.advanceTimersByTime(200);
  line.show({ ...progress, judged: 41, etaSeconds: 59.2 });
  expect(screen.text()).toBe('51/100 · 2.5/s · 1 min 0 s left · 8 running · 2 failed · $0.2500');
});

test('it is never wider than the terminal', () => {
  const screen = fakeScreen({ columns: 30 });
  const line = lineOn(screen);
  line.show(progress);
  vi.advanceTimersByTime(200);
  line.show(progress);
  expect(screen.text()).toBe('50/100 · 2.5/s · 1 h 2 min le');
});

test('a note stands above it, on one line and without control characters', () => {
  const screen = fakeScreen({ columns: 100 });
  const line = lineOn(screen);
  line.show(progress);
  line.note('line 7: The line is not JSON:\n  \u001b[2J');
  vi.advanceTimersByTime(200);
  line.show(progress);
  expect(screen.text().split('\n')).toEqual([
    'agon: line 7: The line is not JSON: \\u001b[2J',
    expect.stringMatching(/^50\/100/),
  ]);
});

test('at the end it gives way to a summary', () => {
  const screen = fakeScreen({ columns: 120 });
  const line = lineOn(screen);
  line.show(progress);
  vi.advanceTimersByTime(2000);
  line.end(progress, { safe: 38, unsafe: 9, undecided: 1 });
  expect(screen.text()).toBe('40 judged in 2.0 s, 8 done before: 38 safe, 9 unsafe, 1 undecided · 2 failed · $0.2500');
});

test('in a log it is a line every five seconds, without control sequences', () => {
  const screen = Object.assign(fakeScreen(), { isTTY: false });
  const line = lineOn(screen);
  for (let tenth = 0; tenth < 120; tenth++) {
    line.show(progress);
    vi.advanceTimersByTime(100);
  }
  expect(screen.written.match(/\n/g)).toHaveLength(2);
  expect(screen.written).not.toContain('\u001b');
});

test('when asked to be quiet it only passes on notes', () => {
  const screen = fakeScreen();
  const line = lineOn(screen, true);
  line.show(progress);
  line.note('line 3: The line is not JSON.');
  line.end(progress, { safe: 1 });
  expect(screen.text()).toBe('agon: line 3: The line is not JSON.');
});
