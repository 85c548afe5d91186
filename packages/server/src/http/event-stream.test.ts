import { afterEach, expect, test, vi } from 'vitest';
import type { SentEvent } from '../reply.ts';
import { createEventStream } from './event-stream.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a stream on which nothing happens shows that it lives, and asks for its next event once', async () => {
  vi.useFakeTimers();
  const asked = { times: 0 };
  const next = Promise.withResolvers<IteratorResult<SentEvent>>();
  const then = vi.spyOn(next.promise, 'then');
  const source = () => ({ [Symbol.asyncIterator]: () => ({ next: () => ((asked.times += 1), next.promise) }) });
  const reader = createEventStream(source, { after: null, signal: new AbortController().signal, onEnd: () => {} })
    .pipeThrough(new TextDecoderStream())
    .getReader();
  const heard = async () => {
    const reading = reader.read();
    await vi.advanceTimersByTimeAsync(15_000);
    return (await reading).value;
  };
  expect(await heard()).toBe(': listening\n\n');
  for (let beat = 0; beat < 5; beat += 1) expect(await heard()).toBe(': \n\n');
  expect(asked.times).toBe(1);
  expect(then).toHaveBeenCalledTimes(1);
  next.resolve({ done: false, value: { id: 'a', type: 'verdict', data: { said: 'line\nbreak' } } });
  let told = await heard();
  while (told === ': \n\n') told = await heard();
  expect(told).toBe('id: a\nevent: verdict\ndata: {"said":"line\\nbreak"}\n\n');
});
