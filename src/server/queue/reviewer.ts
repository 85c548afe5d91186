import type { ReviewStage } from '../../ledger/index.ts';
import { mayDo, reviewerOf, type Principal } from '../auth/principal.ts';
import { anonymous } from './review-leases.ts';

export interface Reviewer {
  name: string;
  /** Where they may decide once only: reviews are independent, and who has the scope `admin` may settle any dispute. */
  onceAt: readonly ReviewStage[];
}

export function reviewerIn(principal: Principal, by: string | undefined): Reviewer {
  return {
    name: reviewerOf(principal) ?? by ?? anonymous,
    onceAt: mayDo(principal, 'admin') ? ['second', 'done'] : ['second', 'dispute', 'done'],
  };
}
