import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, ReviewLease } from '@agonhq/ledger';

/** Who looks at which case now, on whichever server: a hold is a courtesy, and decisions stand without it. */
export interface ReviewLeases {
  /** Takes a case, or holds it on; refused while another has it. */
  take(caseId: string, by: string): Promise<ReviewLease>;
  /** Puts it back, if it is theirs. */
  release(caseId: string, by: string): Promise<void>;
  /** Who else has it. */
  findOther(caseId: string, by: string): Promise<ReviewLease | null>;
  /** Who else has which of many. */
  findOthers(caseIds: readonly string[], by: string): Promise<ReadonlyMap<string, ReviewLease>>;
}

const leaseMs = 600_000;

export function openReviewLeases(
  { leases }: Pick<Ledger, 'leases'>,
  { now = Date.now }: { now?: () => number } = {},
): ReviewLeases {
  const findOthers = (caseIds: readonly string[], by: string) => leases.findLeases(caseIds, by, new Date(now()));
  return {
    findOthers,
    findOther: async (caseId, by) => (await findOthers([caseId], by)).get(caseId) ?? null,
    async take(caseId, by) {
      const lease = { by, until: new Date(now() + leaseMs) };
      const other = await leases.takeLease(caseId, lease, new Date(now()));
      if (other)
        throw new AgonError(
          'held-case',
          `${showReviewer(other.by)} is reviewing case ${caseId} until ${other.until.toISOString()}.`,
          'Take another one; this one is free again once it is decided, put back or left.',
        );
      return lease;
    },
    release: (caseId, by) => leases.releaseLease(caseId, by, new Date(now())),
  };
}

/** In whose name somebody decides who gave none. */
export const anonymousReviewer = 'reviewer';

export function showReviewer(by: string): string {
  return by === anonymousReviewer ? 'somebody' : by;
}
