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

/**
 * Sets the worst case aside in every account at once, or in none: what is set aside counts as spent, so calls that
 * run together can never overspend together.
 */
export function reserve(accounts: readonly Account[], worst: Cost): Reservation | null {
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
