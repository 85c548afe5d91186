import { AgonError } from '../../errors.ts';
import type { GroupOf, Handlers } from '../handler.ts';

const later = (): never => {
  throw new AgonError('not-found', 'This is not there yet.', 'Wait for it.');
};

export const overviewHandlers: Handlers<GroupOf<'overview'>> = {
  'overview.get': later,
};
