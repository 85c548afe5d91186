import { expect, test } from 'vitest';
import { statusOf } from './status-of.ts';

test('a mistake in what was given is 422, and a guard that cannot work is a fault of the server', () => {
  expect(statusOf('empty-content')).toBe(422);
  for (const code of ['guard-failed', 'broken-guard-model', 'missing-guard-model', 'missing-guard-runtime'])
    expect(statusOf(code)).toBe(500);
});
