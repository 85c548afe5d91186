import { AgonError } from '../../errors.ts';

export interface ReviewLease {
  by: string;
  until: Date;
}

/**
 * Who looks at which case now, so that two do not do the same work. Kept in memory: a hold is a courtesy, and
 * decisions stand without it.
 */
export interface ReviewLeases {
  /** Takes a case, or holds it on; refused while another has it. */
  take(caseId: string, by: string): ReviewLease;
  /** Puts it back, if it is theirs. */
  release(caseId: string, by: string): void;
  /** Who else has it. */
  findOther(caseId: string, by: string): ReviewLease | null;
}

const leaseMs = 600_000;
/** Beyond this many, those that have lapsed are swept out. */
const sweepAt = 1_000;

export function openReviewLeases({ now = Date.now }: { now?: () => number } = {}): ReviewLeases {
  const leases = new Map<string, ReviewLease>();
  const standing = (caseId: string) => {
    const hold = leases.get(caseId);
    return hold && hold.until.getTime() > now() ? hold : null;
  };
  const heldFrom = (caseId: string, by: string) => {
    const hold = standing(caseId);
    return hold && hold.by !== by ? hold : null;
  };
  return {
    findOther: heldFrom,
    take(caseId, by) {
      const other = heldFrom(caseId, by);
      if (other)
        throw new AgonError(
          'held-case',
          `${showReviewer(other.by)} is reviewing case ${caseId} until ${other.until.toISOString()}.`,
          'Take another one; this one is free again once it is decided, put back or left.',
        );
      if (leases.size >= sweepAt) for (const id of leases.keys()) if (!standing(id)) leases.delete(id);
      const hold = { by, until: new Date(now() + leaseMs) };
      leases.set(caseId, hold);
      return hold;
    },
    release(caseId, by) {
      if (leases.get(caseId)?.by === by) leases.delete(caseId);
    },
  };
}

/** In whose name somebody decides who gave none. */
export const anonymousReviewer = 'reviewer';

export function showReviewer(by: string): string {
  return by === anonymousReviewer ? 'somebody' : by;
}
