import { AgonError } from '../../errors.ts';
import type { GroupOf, Handlers } from '../handler.ts';

const later = (): never => {
  throw new AgonError('not-found', 'This is not there yet.', 'Wait for it.');
};

export const annotationHandlers: Handlers<GroupOf<'annotations'>> = {
  'annotations.list': later,
  'annotations.create': later,
  'annotations.get': later,
  'annotations.next': later,
  'annotations.items': later,
  'annotations.item': later,
  'annotations.vote': later,
  'annotations.adjudicate': later,
  'annotations.image': later,
  'annotations.export': later,
  'annotations.remove': later,
};
