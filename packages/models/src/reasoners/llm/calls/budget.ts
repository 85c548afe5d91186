import type { Limiter, Limits } from './limiter.ts';

/** What a call may cost at most, or did cost. `usd` is null when the price is not known. */
export interface Cost {
  tokens: number;
  usd: number | null;
}

export interface Allowance {
  tokens?: number;
  usd?: number;
}

/** A sum of money and tokens that calls draw on. */
export interface Account {
  covers(worst: Cost): boolean;
  hold(worst: Cost): void;
  settle(worst: Cost, actual: Cost): void;
}

/** Dollars are sums of tiny fractions: a rounding error must not refuse the last call that fits exactly. */
const rounding = 1e-12;

export function createAccount(allowance: Allowance): Account {
  let tokens = 0;
  let usd = 0;
  return {
    covers(worst) {
      if (allowance.tokens !== undefined && tokens + worst.tokens > allowance.tokens) return false;
      // An unknown price is never within a limit of money.
      return allowance.usd === undefined || (worst.usd !== null && usd + worst.usd <= allowance.usd + rounding);
    },
    hold(worst) {
      tokens += worst.tokens;
      usd += worst.usd ?? 0;
    },
    settle(worst, actual) {
      tokens += actual.tokens - worst.tokens;
      usd += (actual.usd ?? 0) - (worst.usd ?? 0);
    },
  };
}

/** Money set aside for one call, until what it really cost is known. */
export interface Reservation {
  settle(actual: Cost): void;
}

/** Sets the worst case aside in every account or in none, so that calls together never overspend. */
export function reserveCost(accounts: readonly Account[], worst: Cost): Reservation | null {
  if (!accounts.every((account) => account.covers(worst))) return null;
  for (const account of accounts) account.hold(worst);
  let settled = false;
  return {
    settle(actual) {
      if (settled) return;
      settled = true;
      for (const account of accounts) account.settle(worst, actual);
    },
  };
}

/** What a pool shares with other processes: the limits of its models, and the run's account in the ledger. */
export interface CallControl {
  /** The limiter of a model that other processes call too, in place of the one in memory. */
  limiter?(model: string, limits: Limits): Limiter;
  /** The account of the run, in place of the one in memory. */
  account?: SharedAccount;
}

/** An account that other processes draw on too. */
export interface SharedAccount {
  /** Sets a call's worst case aside; null when it is not covered. A rejection stops the call. */
  reserve(worst: Cost): Promise<SharedReservation | null>;
}

export interface SharedReservation {
  /** What the call cost in truth. After a rejection the worst case stays set aside, and the turn's notes say so. */
  settle(actual: Cost): Promise<void>;
}
