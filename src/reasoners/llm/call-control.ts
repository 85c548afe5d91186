import type { Cost } from './budget.ts';
import type { Limiter, Limits } from './limits.ts';

/** What a pool shares with other processes: the limits of its models, and the run's account in the ledger. */
export interface CallControl {
  /** The limiter of a model that other processes call too, in place of the one in memory. */
  limiter?(model: string, limits: Limits): Limiter;
  /** The account of the run, in place of the one in memory. */
  account?: SharedAccount;
}

/** An account that other processes draw on too. */
export interface SharedAccount {
  /**
   * Sets the worst case of a call aside; null when the account does not cover it. A rejection stops the call: what
   * cannot be accounted for is not asked.
   */
  reserve(worst: Cost): Promise<SharedReservation | null>;
}

export interface SharedReservation {
  /** What the call cost in truth. After a rejection the worst case stays set aside, and the turn's notes say so. */
  settle(actual: Cost): Promise<void>;
}
