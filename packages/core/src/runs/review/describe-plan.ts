import { z } from 'zod';

const count = z.number().optional();
const limits = z.object({ concurrency: count, requestsPerMinute: count, tokensPerMinute: count });
const budget = z.object({ itemUsd: count, itemTokens: count, runUsd: count, runTokens: count });
const cascade = z.object({
  safeUpTo: z.number().nullable(),
  unsafeFrom: z.number().nullable(),
  risk: z.number(),
  confidence: z.number(),
});

/** What is shown of a plan on record; a plan of another version is shown as far as it can be read. */
const planSchema = z.object({
  settings: z.object({
    seats: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
    models: z.record(z.string(), limits).default({}),
    defaults: limits.optional(),
    budget: budget.default({}),
  }),
  policy: z.object({ name: z.string(), version: z.string() }).optional(),
  cascade: cascade.nullish(),
  attempts: count,
});

/** A run's plan, as a person wants to see it. */
export interface PlanDescription {
  /** Which model each seat has. */
  models: Record<string, string>;
  /** By model; `every other model` for the defaults. */
  limits: Record<string, z.output<typeof limits>>;
  budget: z.output<typeof budget>;
  policy: string | null;
  cascade: z.output<typeof cascade> | null;
  attempts: number | null;
}

/** Reads the plan that a run's row holds; null when it holds none. */
export function describePlan(settings: unknown): PlanDescription | null {
  const { data: plan } = planSchema.safeParse(settings);
  if (!plan) return null;
  const { seats, models, defaults, budget } = plan.settings;
  const limited = { ...models, ...(defaults ? { 'every other model': defaults } : {}) };
  return {
    models: Object.fromEntries(Object.entries(seats).map(([seat, model]) => [seat, [model].flat().join(', ')])),
    limits: Object.fromEntries(Object.entries(limited).filter(([, of]) => Object.keys(of).length > 0)),
    budget,
    policy: plan.policy ? `${plan.policy.name} ${plan.policy.version}` : null,
    cascade: plan.cascade ?? null,
    attempts: plan.attempts ?? null,
  };
}
