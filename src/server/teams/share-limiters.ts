import { createLimiter, type CallControl, type Limiter } from '../../reasoners/index.ts';

/** Limiters that everybody in this process shares who calls a model: the limits are those of whoever called first. */
export function createLimiterShare(): CallControl {
  const limiters = new Map<string, Limiter>();
  return {
    limiter(model, limits) {
      const limiter = limiters.get(model) ?? createLimiter(limits);
      limiters.set(model, limiter);
      return limiter;
    },
  };
}
