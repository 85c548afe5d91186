import { randomUUID } from 'node:crypto';
import type { Ledger } from '@agonhq/ledger';
import { createLimiter, createSharedLimiter, type CallControl, type Limiter } from '@agonhq/models/reasoners';
import type { Settings } from '@agonhq/core/settings';

export interface LimiterShare extends CallControl {
  limiter: NonNullable<CallControl['limiter']>;
  /** Claims no more; who waits is refused. */
  close(): void;
}

/**
 * Limiters that everybody shares who calls a model: in this process, and with servers and workers that have the same
 * ledger where somebody set a limit, since that is one of an account with a provider. The calls at once that are set by
 * default are those of each server. The limits are those of whoever called first.
 */
export function createLimiterShare({ fleet }: Pick<Ledger, 'fleet'>, settings: Settings): LimiterShare {
  const server = `server-${randomUUID()}`;
  const limiters = new Map<string, Limiter>();
  const closers: (() => void)[] = [];
  const isSet = (model: string) =>
    [settings.defaults, settings.models?.[model]].some((each) => each?.concurrency !== undefined);

  const open: LimiterShare['limiter'] = (model, limits) => {
    const { requestsPerMinute, tokensPerMinute } = limits;
    if (!fleet || !(isSet(model) || (requestsPerMinute ?? tokensPerMinute) !== undefined)) return createLimiter(limits);
    const worker = `${server}/requests`;
    const shared = createSharedLimiter(model, limits, (ask) => fleet.claimShare({ worker, model, limits, ...ask }));
    closers.push(() => shared.close());
    return shared;
  };

  return {
    limiter(model, limits) {
      const limiter = limiters.get(model) ?? open(model, limits);
      limiters.set(model, limiter);
      return limiter;
    },
    close() {
      for (const close of closers) close();
    },
  };
}
