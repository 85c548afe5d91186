import { AgonError } from '../../errors.ts';

export interface Hold {
  by: string;
  until: Date;
}

/**
 * Who looks at which case now, so that two do not do the same work. Kept in memory: a hold is a courtesy, and
 * decisions stand without it.
 */
export interface Holds {
  /** Takes a case, or holds it on; refused while another has it. */
  take(caseId: string, by: string): Hold;
  /** Puts it back, if it is theirs. */
  release(caseId: string, by: string): void;
  /** Who else has it. */
  heldFrom(caseId: string, by: string): Hold | null;
}

const heldMs = 600_000;
/** Beyond this many, those that have lapsed are swept out. */
const sweepAt = 1_000;

export function openHolds({ now = Date.now }: { now?: () => number } = {}): Holds {
  const holds = new Map<string, Hold>();
  const standing = (caseId: string) => {
    const hold = holds.get(caseId);
    return hold && hold.until.getTime() > now() ? hold : null;
  };
  const heldFrom = (caseId: string, by: string) => {
    const hold = standing(caseId);
    return hold && hold.by !== by ? hold : null;
  };
  return {
    heldFrom,
    take(caseId, by) {
      const other = heldFrom(caseId, by);
      if (other)
        throw new AgonError(
          'held-case',
          `${holderName(other.by)} looks at case ${caseId} until ${other.until.toISOString()}.`,
          'Take another one; this one is free again when it was decided, put back or left alone.',
        );
      if (holds.size >= sweepAt) for (const id of holds.keys()) if (!standing(id)) holds.delete(id);
      const hold = { by, until: new Date(now() + heldMs) };
      holds.set(caseId, hold);
      return hold;
    },
    release(caseId, by) {
      if (holds.get(caseId)?.by === by) holds.delete(caseId);
    },
  };
}

/** In whose name somebody decides who gave none. */
export const anonymous = 'reviewer';

export function holderName(by: string): string {
  return by === anonymous ? 'somebody' : by;
}
