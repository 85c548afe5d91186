import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SentEvent } from '../reply.ts';
import { startLiveTrial, type LiveTrialOptions } from './live-trial.ts';

const turn = (key: string): SentEvent => ({ id: `turn-end:${key}`, type: 'turn-end', data: { debate: 'mod-1', key } });
const never = new AbortController().signal;

/** A trial that says what it is told to say. */
function stage(options: Partial<LiveTrialOptions<string>> = {}) {
  const lines: (SentEvent | 'end')[] = [];
  let wake = () => {};
  const state = { aborted: null as unknown, ended: false };
  const live = startLiveTrial<string>({
    async *hold(signal) {
      signal.addEventListener('abort', () => {
        state.aborted = signal.reason;
        wake();
      });
      for (;;) {
        for (const line of lines.splice(0)) {
          if (line === 'end') return 'verdict';
          yield line;
        }
        if (signal.aborted) throw new Error('in its own words');
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    conclude: (result) => ({ id: 'answer', type: 'answer', data: { result } }),
    fail: (error) => ({ id: 'problem', type: 'problem', data: { why: (error as Error).message } }),
    graceMs: 60,
    timeoutMs: 60_000,
    signal: never,
    onEnd: () => (state.ended = true),
    ...options,
  });
  return {
    live,
    state,
    say(...said: (SentEvent | 'end')[]) {
      lines.push(...said);
      wake();
    },
  };
}

/** Time passes when it is told to, and everybody has had their say by then. */
const pause = (ms: number) => vi.advanceTimersByTimeAsync(ms);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const nameOf = (id: string) => id.replace(/@\w+$/, '');

async function heard(listening: AsyncIterable<SentEvent>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of listening) ids.push(nameOf(id));
  return ids;
}

test('whoever comes late hears the trial from its start, and all hear the same', async () => {
  const { live, say } = stage();
  const early = heard(live.subscribe({ after: null, signal: never }));
  say(turn('a'), turn('b'));
  await pause(5);
  const late = heard(live.subscribe({ after: null, signal: never }));
  say(turn('c'), 'end');
  expect(await early).toEqual(['turn-end:a', 'turn-end:b', 'turn-end:c', 'answer']);
  expect(await late).toEqual(await early);
  expect(live).toMatchObject({ caseId: 'mod-1', ended: true });
});

test('whoever comes back to the same live goes on right after the last event that was heard', async () => {
  const { live, say } = stage();
  const told: string[] = [];
  say(turn('round-1/a'), turn('round-1/b'), turn('c'), 'end');
  for await (const { id } of live.subscribe({ after: null, signal: never })) told.push(id);
  expect(await heard(live.subscribe({ after: told[1]!, signal: never }))).toEqual(['turn-end:c', 'answer']);
  expect(await heard(live.subscribe({ after: 'no event of ours', signal: never }))).toHaveLength(4);
});

test(
  'a trial that is held anew is told from where the listener was, once it has come there; what was held at ' +
    'once is told again',
  async () => {
    const { live, say } = stage();
    const listening = heard(live.subscribe({ after: 'turn-start:round-1/b@0000', signal: never }));
    const another = heard(live.subscribe({ after: 'turn-end:supporter@0000', signal: never }));
    say(turn('supporter'), turn('round-1/a'));
    await pause(5);
    say(turn('round-1/b'), turn('arbiter'), 'end');
    expect(await listening).toEqual(['turn-end:round-1/a', 'turn-end:round-1/b', 'turn-end:arbiter', 'answer']);
    expect(await another).toEqual(await listening);
  },
);

test('a debate that nobody listens to any more is held on for a while, and then stopped', async () => {
  const { live, state, say } = stage();
  const gone = new AbortController();
  const listening = heard(live.subscribe({ after: null, signal: gone.signal }));
  say(turn('a'));
  await pause(5);
  gone.abort();
  await listening;
  await pause(20);
  expect(state.aborted).toBeNull();
  const back = new AbortController();
  const again = heard(live.subscribe({ after: 'turn-end:a@0000', signal: back.signal }));
  await pause(80);
  expect(state.aborted).toBeNull();
  back.abort();
  await again;
  await pause(90);
  expect(state).toMatchObject({ ended: true, aborted: { code: 'cancelled' } });
});

test('whoever only waits for the answer stops the debate by going away, unless another is there', async () => {
  const { live, state, say } = stage();
  const gone = new AbortController();
  const first = live.waitForResult(gone.signal);
  const second = live.waitForResult(never);
  gone.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await pause(10);
  expect(state.aborted).toBeNull();
  say('end');
  expect(await second).toBe('verdict');

  const alone = stage();
  const only = new AbortController();
  const waiting = alone.live.waitForResult(only.signal);
  only.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await pause(10);
  expect(alone.state).toMatchObject({ ended: true, aborted: { code: 'cancelled' } });
});

test('a trial that takes too long, or fails, is told to everybody with the reason', async () => {
  const slow = stage({ timeoutMs: 20 });
  const listening = heard(slow.live.subscribe({ after: null, signal: never }));
  const waiting = expect(slow.live.waitForResult(never)).rejects.toMatchObject({ code: 'took-too-long' });
  await pause(20);
  await waiting;
  expect(await listening).toEqual(['problem']);

  const broken = stage({
    async *hold() {
      yield turn('a');
      throw new Error('the model is away');
    },
  });
  await expect(broken.live.waitForResult(never)).rejects.toThrow('the model is away');
  expect(await heard(broken.live.subscribe({ after: 'turn-end:a@0000', signal: never }))).toEqual(['problem']);
});

test('who stops it stops it for all, at once', async () => {
  const { live, state, say } = stage({ graceMs: 60_000 });
  const listening = [
    heard(live.subscribe({ after: null, signal: never })),
    heard(live.subscribe({ after: null, signal: never })),
  ];
  say(turn('a'));
  await pause(5);
  live.stop();
  expect(await Promise.all(listening)).toEqual([
    ['turn-end:a', 'problem'],
    ['turn-end:a', 'problem'],
  ]);
  expect(state).toMatchObject({ ended: true, aborted: { code: 'cancelled' } });
});
