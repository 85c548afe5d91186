import { AgonError } from '../../errors.ts';
import type { GroupOf, Handlers } from '../handler.ts';

const later = (): never => {
  throw new AgonError('not-found', 'This is not there yet.', 'Wait for it.');
};

export const sessionHandlers: Handlers<GroupOf<'session'>> = {
  'session.create': later,
  'session.end': later,
};
