import { vi } from 'vitest';

/**
 * Does some work while the clock of this process is three days ahead, as that of a machine whose clock is wrong; timers
 * go on as they do, and what the database says the time is stays.
 *
 * @example await inThreeDays(() => ledger.idempotency.claimKey('owner', 'key', 'request', { staleMs }))
 */
export async function inThreeDays<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 24 * 3_600_000 });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
