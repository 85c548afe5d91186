import { setTimeout as pause } from 'node:timers/promises';
import { noUsage, type Reasoner } from '@agonhq/engine/debate';
import { planRun, type RunPlan } from '@agonhq/core/runs';
import { openGuardTrial } from '@agonhq/core/runs/cascade';
import { createAgon } from '@agonhq/core/app';
import type { Settings } from '@agonhq/core/settings';

/* A guard that answers at once and is sure of it: what is left is what Agon does around it. */

const nothing = { why: 'Nothing of the kind is in the content.', evidence: [], holds: false };
const findings = {
  statement: 'Nothing was shown.',
  exoneration: nothing,
  risk: { ...nothing, clauses: [] },
  confidence: 0.98,
  score: 0.01,
};

const answered = {
  outcome: 'answered',
  value: findings as never,
  usage: noUsage,
  latencyMs: 0,
  model: 'bench:instant',
  raw: '',
} as const;

/** Reasoners by seat; `delayMs` for one that takes a moment after all. */
export function instantReasoners(delayMs = 0): { arbiter: Reasoner } {
  const answer = async () => {
    if (delayMs > 0) await pause(delayMs);
    return answered;
  };
  return { arbiter: { id: 'bench:instant', fingerprint: 'bench:instant', vision: false, answer } };
}
export const environment = { AGON_SECRET: 'bench, and nothing but the bench, for all' };

const settings: Settings = { seats: { default: 'embedded:guard-2' }, moderation: { without: ['retrieval'] } };

/** The plan of a run of which that guard decides every item, and the debates behind it none. */
export async function planInstantRun(): Promise<RunPlan> {
  const parts = { only: ['moderation'], environment, reasoners: instantReasoners() };
  const guard = await openGuardTrial('moderation', settings, parts);
  const counts = { decided: 1, wrong: 0 };
  const cascade = {
    version: 1 as const,
    job: 'moderation',
    guard: guard.setup,
    safeUpTo: 0.4,
    unsafeFrom: 0.6,
    risk: 0.05,
    confidence: 0.95,
    fitted: { data: 'bench', items: 1, ...counts, bound: 0.05, sides: { safe: counts, unsafe: counts } },
  };
  await guard.close();
  const agon = await createAgon(settings, parts);
  try {
    return await planRun({ job: 'moderation', settings, agon, environment, cascade });
  } finally {
    await agon.close();
  }
}
