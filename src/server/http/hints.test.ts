import { expect, test } from 'vitest';
import { AgonError, type ErrorCode } from '../../errors.ts';
import { problemOf } from './problem.ts';

const hintOf = (code: ErrorCode, hint: string) => problemOf(new AgonError(code, 'It cannot be done.', hint)).hint;

test('whoever asks over HTTP is not sent to flags and commands', () => {
  expect(hintOf('empty-subject', 'Pass a text, --image FILE or --stdin.')).toBe('Send a text, or images.');
  expect(hintOf('no-such-precedent', 'See `agon precedents list`.')).toBe('GET /api/precedents lists them.');
  expect(hintOf('run-exists', 'Go on with it: agon runs resume nightly; or give another --name.')).toContain(
    'POST /api/runs/{id}/resume',
  );
});

test('a hint that says what to do over HTTP stays, and so does one for whoever keeps the server', () => {
  expect(hintOf('unknown-case', 'Ask for it under /api/evaluations.')).toBe('Ask for it under /api/evaluations.');
  expect(hintOf('no-scope', 'Use a key with it: agon keys create --name NAME --scope read.')).toContain(
    'agon keys create',
  );
});
