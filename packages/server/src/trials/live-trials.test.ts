import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SentEvent } from '../reply.ts';
import { openLiveTrials } from './live-trials.ts';

const event: SentEvent = { id: 'answer', type: 'answer', data: {} };

test('whoever asks for what is about to be stopped gets a trial of its own', async () => {
  const never = new AbortController().signal;
  const trials = openLiveTrials({
    limits: { concurrency: 4, queue: 4, timeoutSeconds: 60, graceSeconds: 0 },
    signal: never,
    failed: () => event,
  });
  let held = 0;
  const trial = {
    key: 'the same',
    async *hold(signal: AbortSignal): AsyncGenerator<SentEvent, string, void> {
      held += 1;
      await pause(held === 1 ? 150 : 0);
      signal.throwIfAborted();
      yield event;
      return 'verdict';
    },
    conclude: () => event,
  };
  const gone = new AbortController();
  const first = (await trials.startOrJoin(trial, gone.signal)).waitForResult(gone.signal);
  gone.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await pause(20);
  await expect((await trials.startOrJoin(trial, never)).waitForResult(never)).resolves.toBe('verdict');
  await trials.whenIdle();
  expect(held).toBe(2);
});
