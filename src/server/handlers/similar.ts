import { AgonError } from '../../errors.ts';
import type { Handlers } from '../handler.ts';

export const similarHandlers: Handlers<'cases.similar'> = {
  'cases.similar': () => {
    throw new AgonError('not-found', 'This is not there yet.', 'Wait for it.');
  },
};
