import { z } from 'zod';

const count = z.number().optional();
const limits = z.looseObject({ concurrency: count, requestsPerMinute: count, tokensPerMinute: count });

/** What is shown of a plan on record; a plan of another version is shown as far as it can be read. */
const planSchema = z.looseObject({
  settings: z.looseObject({
    seats: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
    models: z.record(z.string(), limits).optional(),
    defaults: limits.optional(),
    budget: z.looseObject({ itemUsd: count, itemTokens: count, runUsd: count, runTokens: count }).optional(),
  }),
  policy: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  cascade: z
    .looseObject({
      safeUpTo: z.number().nullable(),
      unsafeFrom: z.number().nullable(),
      risk: z.number(),
      confidence: z.number(),
    })
    .nullish(),
  attempts: count,
});

export type PlanLimits = Pick<z.output<typeof limits>, 'concurrency' | 'requestsPerMinute' | 'tokensPerMinute'>;

/** A run's plan, as a person wants to see it. */
export interface PlanDescription {
  /** Which model each seat has. */
  models: Record<string, string>;
  /** By model; `every other model` for the defaults. */
  limits: Record<string, PlanLimits>;
  budget: { itemUsd?: number; itemTokens?: number; runUsd?: number; runTokens?: number };
  policy: string | null;
  cascade: { safeUpTo: number | null; unsafeFrom: number | null; risk: number; confidence: number } | null;
  attempts: number | null;
}

/** Reads the plan that a run's row holds; null when it holds none. */
export function describePlan(settings: unknown): PlanDescription | null {
  const { data: plan } = planSchema.safeParse(settings);
  if (!plan) return null;
  const { seats = {}, models = {}, defaults, budget = {} } = plan.settings;
  const { itemUsd, itemTokens, runUsd, runTokens } = budget;
  const limited = [...Object.entries(models), ...(defaults ? [['every other model', defaults] as const] : [])].map(
    ([model, of]) => [model, limitsIn(of)] as const,
  );
  return {
    models: Object.fromEntries(Object.entries(seats).map(([seat, model]) => [seat, [model].flat().join(', ')])),
    limits: Object.fromEntries(limited.filter(([, of]) => Object.keys(of).length > 0)),
    budget: withoutUndefined({ itemUsd, itemTokens, runUsd, runTokens }),
    policy: plan.policy ? `${plan.policy.name} ${plan.policy.version}` : null,
    cascade: plan.cascade
      ? {
          safeUpTo: plan.cascade.safeUpTo,
          unsafeFrom: plan.cascade.unsafeFrom,
          risk: plan.cascade.risk,
          confidence: plan.cascade.confidence,
        }
      : null,
    attempts: plan.attempts ?? null,
  };
}

function limitsIn({ concurrency, requestsPerMinute, tokensPerMinute }: PlanLimits): PlanLimits {
  return withoutUndefined({ concurrency, requestsPerMinute, tokensPerMinute });
}

function withoutUndefined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}
