import { expect, it } from 'vitest';
import { linkAbort } from './channel.ts';

it('aborts with the other signal, for its reason', () => {
  const outer = new AbortController();
  const linked = linkAbort(outer.signal);
  expect(linked.signal.aborted).toBe(false);
  outer.abort('enough');
  expect(linked.signal).toMatchObject({ aborted: true, reason: 'enough' });
  expect(linkAbort(outer.signal).signal).toMatchObject({ aborted: true, reason: 'enough' });
});

it('aborts by itself, with or without another signal, and leaves that one alone', () => {
  const outer = new AbortController();
  for (const linked of [linkAbort(outer.signal), linkAbort(undefined)]) {
    linked.abort('mine');
    expect(linked.signal).toMatchObject({ aborted: true, reason: 'mine' });
  }
  expect(outer.signal.aborted).toBe(false);
});

it('hears nothing any more once it is let go', () => {
  const outer = new AbortController();
  const linked = linkAbort(outer.signal);
  linked.release();
  outer.abort();
  expect(linked.signal.aborted).toBe(false);
});
