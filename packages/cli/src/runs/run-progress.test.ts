import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeScreen } from '@agonhq/test/support/screen.ts';
import type { RunProgress } from '@agonhq/core/runs';
import { openRunProgress } from './run-progress.ts';
import { renderRunProgress } from './run-progress.ts';

const progress: RunProgress = {
  read: 2_000,
  total: 2_000,
  done: 1_200,
  failed: 3,
  same: 37,
  waiting: 744,
  running: 16,
  byLabel: { safe: 960, unsafe: 230, undecided: 10 },
  byGuard: 312,
  failuresByCode: { 'broken-line': 2, 'nobody-heard': 1 },
  rate: 10.42,
  etaSeconds: 73,
  usage: { calls: 7_440, inputTokens: 3_100_000, outputTokens: 90_000, cachedTokens: 0, costUsd: 1.2345 },
};
const heading = { title: 'nightly', job: 'moderation', budget: { usd: 5 } };

const streamOf = (screen: ReturnType<typeof fakeScreen>) =>
  Object.assign(screen, { off: () => screen }) as unknown as NodeJS.WriteStream;
const plainStream = streamOf(Object.assign(fakeScreen(), { isTTY: false }));

describe('the view of a run', () => {
  test('tells how far, how fast, what came out, what failed and what it cost', () => {
    expect(renderRunProgress(heading, progress, 80, plainStream)).toEqual([
      'nightly · moderation · Ctrl-C stops it; resume later',
      '████████████████████████▊░░░░░░░░░░░░░░░  62 %  1,240/2,000',
      '10.4/s · 1 min 13 s left · 16 running · 744 waiting',
      '960 safe · 230 unsafe · 10 undecided · 312 by the guard · 37 duplicates',
      '3 failed: 2 broken-line, 1 nobody-heard',
      '$1.23 of $5.00 · 7,440 calls · 3.19 M tokens',
    ]);
  });

  test('while the input is still read says of how many so far', () => {
    const reading = {
      ...progress,
      total: null,
      etaSeconds: null,
      failed: 0,
      usage: { ...progress.usage, costUsd: null },
    };
    expect(renderRunProgress({ ...heading, budget: {} }, reading, 80, plainStream).slice(1)).toEqual([
      '1,237 of 2,000 read so far · still reading',
      '10.4/s · 16 running · 744 waiting',
      '960 safe · 230 unsafe · 10 undecided · 312 by the guard · 37 duplicates',
      'price unknown · 7,440 calls · 3.19 M tokens',
    ]);
  });

  test('before anything is known says that it starts', () => {
    expect(renderRunProgress(heading, null, 80, plainStream)).toEqual([
      'nightly · moderation · Ctrl-C stops it; resume later',
      'starting …',
    ]);
  });

  test.each([20, 24, 33, 47, 60, 140])('fits a terminal of %i columns', (width) => {
    for (const row of renderRunProgress(
      { ...heading, title: 'a name 🎻 that is longer than most of them' },
      progress,
      width,
      plainStream,
    ))
      expect(stringWidth(row)).toBeLessThanOrEqual(width);
  });

  test('shows nothing of a name that moves the cursor', () => {
    expect(renderRunProgress({ ...heading, title: '\u001b[2Jx' }, progress, 80, plainStream)[0]).toContain(
      '\\u001b[2Jx',
    );
  });
});

describe('progress of a run', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const options = { ...heading, run: 'run-1', quiet: false, json: false };

  test('is redrawn in place, and leaves nothing when it ends', () => {
    const screen = fakeScreen({ columns: 80 });
    const view = openRunProgress({ ...options, stream: streamOf(screen) });
    view.show(progress);
    vi.advanceTimersByTime(200);
    view.note('line 7: the label "odd" is not known');
    view.show({ ...progress, done: 1_300 });
    vi.advanceTimersByTime(200);
    const rows = screen.text().split('\n');
    expect(rows[0]).toContain('agon: line 7');
    expect(rows.filter((row) => row.startsWith('nightly'))).toHaveLength(1);
    expect(rows[2]).toContain('1,340/2,000');
    view.end();
    expect(screen.text()).toBe('agon: line 7: the label "odd" is not known');
    expect(screen.cursorHidden).toBe(false);
  });

  test('follows the terminal when it is made narrower', () => {
    const screen = fakeScreen({ columns: 100 });
    const view = openRunProgress({ ...options, stream: streamOf(screen) });
    view.show(progress);
    vi.advanceTimersByTime(200);
    screen.columns = 40;
    view.show(progress);
    vi.advanceTimersByTime(200);
    for (const row of screen.text().split('\n').slice(-6)) expect(stringWidth(row)).toBeLessThanOrEqual(40);
    view.end();
  });

  test('in a log is a plain line every five seconds', () => {
    const screen = Object.assign(fakeScreen({ columns: 200 }), { isTTY: false });
    const view = openRunProgress({ ...options, stream: streamOf(screen) });
    for (let second = 0; second < 12; second++) {
      view.show(progress);
      vi.advanceTimersByTime(1_000);
    }
    expect(screen.text().split('\n')).toEqual(
      Array(2).fill(
        '1,240/2,000 · 10.4/s · 1 min 13 s left · 16 running · 744 waiting · 3 failed · $1.23 · 7,440 calls',
      ),
    );
    expect(screen.written).not.toContain('\u001b');
  });

  test('with --json is an object every five seconds, in a terminal too', () => {
    const screen = fakeScreen({ columns: 2_000 });
    const view = openRunProgress({ ...options, json: true, stream: streamOf(screen) });
    vi.advanceTimersByTime(5_000);
    view.show(progress);
    view.note('A word.');
    view.end();
    expect(
      screen.written
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { event: 'progress', run: 'run-1', ...progress },
      { event: 'note', run: 'run-1', text: 'A word.' },
    ]);
  });

  test('is nothing with --quiet', () => {
    const screen = fakeScreen();
    const view = openRunProgress({ ...options, quiet: true, stream: streamOf(screen) });
    view.show(progress);
    vi.advanceTimersByTime(10_000);
    view.show(progress);
    view.end();
    expect(screen.written).toBe('');
  });
});
