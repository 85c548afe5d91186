import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
import { fakeScreen } from '@agonhq/test/support/screen.ts';
import { eventsOf } from '@agonhq/test/support/trial-events.ts';
import { replayState } from '../views/debate-state.ts';
import { moderationView, renderModeration } from '../views/moderation-view.ts';
import { drawLive, readableWidth } from './live-view.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const events = eventsOf(unsafeAnswer);

/** The trial as a screen shows it that was not redrawn. */
function whole(columns: number): string {
  const screen = fakeScreen({ columns });
  screen.write(
    renderModeration(replayState(events), columns)
      .flatMap((block) => block.lines)
      .join('\n'),
  );
  return screen.text();
}

/** A debate on a screen. */
function openView(screen: ReturnType<typeof fakeScreen>) {
  let state = moderationView.start([]);
  const drawing = drawLive(screen, (width) => moderationView.draw(state, width));
  return {
    show(event: (typeof events)[number]) {
      state = moderationView.advance(state, event);
      drawing.changed();
    },
    end: drawing.end,
  };
}

/** Shows the trial on a screen, with a frame every few events. */
function watch(screen: ReturnType<typeof fakeScreen>, each: (index: number) => void = () => {}) {
  const view = openView(screen);
  events.forEach((event, index) => {
    view.show(event);
    vi.advanceTimersByTime(40);
    each(index);
  });
  return view;
}

describe('when the trial is over, all of it stands on the screen, once', () => {
  test.each([
    [80, 24],
    [120, 40],
    [50, 20],
    [40, 10],
    [140, 6],
  ])('at %i columns and %i rows', (columns, rows) => {
    const screen = fakeScreen({ columns, rows });
    watch(screen).end();
    expect(screen.text()).toBe(whole(columns));
  });
});

test('while it goes on, nothing stands there twice', () => {
  const screen = fakeScreen({ columns: 100, rows: 30 });
  watch(screen, () => {
    for (const heading of ['Case (', 'Supporter', 'Round 1', 'Round 2', 'Arbiter']) {
      expect(screen.text().split(heading).length - 1).toBeLessThanOrEqual(1);
    }
  }).end();
});

test('what is being said is redrawn at most twelve times a second', () => {
  const screen = fakeScreen();
  const view = openView(screen);
  const frames = vi.spyOn(screen, 'write');
  for (const event of events) view.show(event);
  vi.advanceTimersByTime(1000);
  expect(frames.mock.calls.length).toBe(1);
  view.end();
});

test('the cursor is hidden meanwhile and back afterwards, however often it is ended', () => {
  const screen = fakeScreen();
  const view = watch(screen, () => expect(screen.cursorHidden).toBe(true));
  view.end();
  const text = screen.text();
  screen.write('SAFE\n');
  view.end();
  expect(screen.cursorHidden).toBe(false);
  expect(screen.text()).toBe(`${text}\n\nSAFE`);
});

test('the cursor is back when the process ends in the middle', () => {
  const screen = fakeScreen();
  const view = openView(screen);
  process.listeners('exit').at(-1)!(130);
  expect(screen.cursorHidden).toBe(false);
  view.end();
});

test('an echoed ^C leaves no trace', () => {
  const screen = fakeScreen({ columns: 80 });
  const view = watch(screen);
  view.end();
  const untouched = screen.text();

  const second = fakeScreen({ columns: 80 });
  watch(second, (index) => index === 30 && second.write('^C')).end();
  expect(second.text()).toBe(untouched);
});

test('the width is that of the terminal, within reason', () => {
  expect([undefined, 5, 40, 80, 300].map((columns) => readableWidth({ columns }))).toEqual([100, 20, 40, 80, 140]);
});
