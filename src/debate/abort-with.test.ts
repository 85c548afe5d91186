import { expect, it } from 'vitest';
import { abortWith } from './abort-with.ts';

it('aborts with the other signal, for its reason', () => {
  const outer = new AbortController();
  const linked = abortWith(outer.signal);
  expect(linked.signal.aborted).toBe(false);
  outer.abort('enough');
  expect(linked.signal).toMatchObject({ aborted: true, reason: 'enough' });
  expect(abortWith(outer.signal).signal).toMatchObject({ aborted: true, reason: 'enough' });
});

it('aborts by itself, with or without another signal, and leaves that one alone', () => {
  const outer = new AbortController();
  for (const linked of [abortWith(outer.signal), abortWith(undefined)]) {
    linked.abort('mine');
    expect(linked.signal).toMatchObject({ aborted: true, reason: 'mine' });
  }
  expect(outer.signal.aborted).toBe(false);
});

it('hears nothing any more once it is let go', () => {
  const outer = new AbortController();
  const linked = abortWith(outer.signal);
  linked.letGo();
  outer.abort();
  expect(linked.signal.aborted).toBe(false);
});
