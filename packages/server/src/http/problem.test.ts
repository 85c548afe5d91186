import { expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { toProblem } from './problem.ts';

test('whoever asks over HTTP is not sent to flags and commands', () => {
  const error = new AgonError('empty-subject', 'There is nothing to judge.', {
    library: 'Pass a text or an image.',
    cli: 'Pass a text, --image FILE or --stdin.',
    api: 'Send a text or an image.',
  });
  expect(toProblem(error)).toMatchObject({ status: 422, hint: 'Send a text or an image.' });
});

test('where the ledger lies is not told', () => {
  const error = new AgonError('locked-ledger', 'The ledger /srv/secret is locked.', 'Unlock /srv/secret.');
  expect(JSON.stringify(toProblem(error))).not.toContain('secret');
  expect(toProblem(new Error('secret'))).toMatchObject({ status: 500, code: 'internal' });
});

test('a disk that is full is said to be, wherever something was to be written', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, open /secret'), { code: 'ENOSPC' });
  expect(toProblem(error)).toMatchObject({ status: 503, code: 'full-disk' });
  expect(JSON.stringify(toProblem(error))).not.toContain('secret');
});
