import { expect, test } from 'vitest';
import { AgonError, hintFor, reviveError } from './agon-error.ts';
import { errorCatalogue, findErrorStatus } from './errors/index.ts';

test('a mistake in what was given is 422, and a guard that cannot work is a fault of the server', () => {
  expect(findErrorStatus('empty-subject')).toBe(422);
  expect(findErrorStatus('merge/no-diff')).toBe(422);
  for (const code of ['guard-failed', 'broken-guard-model', 'missing-guard-model', 'missing-guard-runtime'])
    expect(findErrorStatus(code)).toBe(500);
});

test('each surface gets its own hint where there is one, and the library’s otherwise', () => {
  const error = new AgonError('no-reason', 'p-1 cannot be retired without a reason.', {
    library: 'Give a reason.',
    cli: 'Say why: --why TEXT.',
  });
  expect([error.hint, hintFor(error, 'cli'), hintFor(error, 'api')]).toEqual([
    'Give a reason.',
    'Say why: --why TEXT.',
    'Give a reason.',
  ]);
});

test('an error that was sent keeps its code, even one that only another version knows', () => {
  const sent = { code: 'code-of-tomorrow', message: 'It is new.', hint: 'Update.' };
  expect(reviveError(sent)).toMatchObject(sent);
  expect(reviveError({ ...sent, code: 'Not a code!' })).toMatchObject({ code: 'internal' });
});

test('no code is in two files of the catalogue, and every meaning is a sentence', () => {
  for (const [code, { meaning }] of Object.entries(errorCatalogue)) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(meaning).toMatch(/^[A-Z`/o].*\.$/);
  }
});
