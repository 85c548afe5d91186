const minute = 60_000;

/**
 * A bucket that refills at the rate of a share, which may change at any time. It starts empty; a share that grows adds
 * rate and no level, one that shrinks clips the level.
 *
 * A tenth of the share is held for bursts and the rest refills. Buckets of shares that add up to the limit therefore
 * hold a tenth of it together, however shares move between them, and leak no more than the limit into any minute. A
 * call of more than a tenth of the share takes more of it for bursts (up to a half): then this holds for shares that
 * stay, and those that move may carry one such call each over the limit. Give whole shares of ten calls or more to be
 * strict.
 */
export function createShareBucket(startedAt: number) {
  let perMinute = 0;
  let largest = 0;
  let level = 0;
  let filledAt = startedAt;

  const capacityOf = (share: number) => Math.max(share / 10, Math.min(largest, share / 2));
  const rateOf = (share: number) => (share - capacityOf(share)) / minute;
  const refill = (until: number, share = perMinute) => {
    level = Math.min(capacityOf(share), level + Math.max(0, until - filledAt) * rateOf(share));
    filledAt = Math.max(filledAt, until);
  };

  return {
    /** The share that was asked for at `askedAt` and granted at `grantedAt`: in between, the lesser one counts. */
    change(share: number, askedAt: number, grantedAt: number): void {
      refill(askedAt);
      refill(grantedAt, Math.min(share, perMinute));
      perMinute = share;
    },
    /** The share was lost: what it had saved up is gone, what is owed stays owed. */
    lose(now: number): void {
      perMinute = 0;
      refill(now);
    },
    /** Milliseconds until `units` can be taken; more than the bucket holds pass on credit when it is full. */
    wait(units: number, now: number): number {
      refill(now);
      largest = Math.max(largest, units);
      if (perMinute <= 0) return Infinity;
      const missing = Math.min(units, capacityOf(perMinute)) - level;
      return missing <= 1e-9 ? 0 : Math.ceil(missing / rateOf(perMinute));
    },
    take(units: number): void {
      level -= units;
    },
    giveBack(units: number): void {
      level += units;
    },
  };
}

export type ShareBucket = ReturnType<typeof createShareBucket>;
