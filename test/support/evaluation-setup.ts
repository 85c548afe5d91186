import { memoryJournal, type Reasoner } from '@agonhq/engine/debate';
import {
  evaluation,
  type EvaluateOptions,
  type EvaluationAnswer,
  type EvaluationPlan,
  type EvaluationSetup,
  type Exchange,
} from '@agonhq/judges/evaluation';
import { defaultPolicy } from '@agonhq/engine/policy';
import { createLlmPool, modelFamily } from '@agonhq/models/reasoners';
import { deobfuscate, findInjections } from '@agonhq/models/tools';
import { tribunalSettings } from './fake-tribunal.ts';

/* Apart from fake-tribunal.ts: the tests of commands need none of what is imported here, which takes a second. */

export const tribunalPlan: EvaluationPlan = {
  method: 'debate',
  rounds: 3,
  agents: 1,
  consensus: true,
  stubbornness: { auditor: 0.5, detector: 0.5 },
  consensusBound: 0.05,
  smoothing: 0.01,
  delta: 0.5,
  gamma: 0.2,
};

/** Model names by seat; one model plays everybody that is not named. */
export interface TribunalModels {
  auditor?: readonly string[];
  detector?: readonly string[];
  critic?: string;
  arbiter?: string;
  judge?: string | null;
}

/** A setup of evaluation over a fake provider. */
export async function tribunalSetup(
  provider: { url: string },
  plan: Partial<EvaluationPlan> = {},
  models: TribunalModels = {},
  overrides: Partial<EvaluationSetup> = {},
): Promise<EvaluationSetup> {
  const { seats: _, ...llm } = tribunalSettings(provider);
  const reasonerOf: (model: string) => Reasoner = createLlmPool(llm, {}).forItem();
  const everybody = 'fake:tribunal';
  return {
    policy: await defaultPolicy(),
    plan: { ...tribunalPlan, ...plan },
    reasoners: {
      auditor: (models.auditor ?? [everybody]).map(reasonerOf),
      detector: (models.detector ?? [everybody]).map(reasonerOf),
      critic: reasonerOf(models.critic ?? everybody),
      arbiter: reasonerOf(models.arbiter ?? everybody),
      judge: models.judge === null ? null : reasonerOf(models.judge ?? everybody),
    },
    tools: { deobfuscate, findInjections },
    reference: null,
    calibration: null,
    journal: memoryJournal(),
    secret: 'test',
    maxCharacters: 100_000,
    context: [],
    familyOf: modelFamily,
    version: 'test',
    ...overrides,
  };
}

/** Runs an evaluation to its end. */
export async function judged(
  exchange: Exchange,
  setup: EvaluationSetup,
  options?: EvaluateOptions,
): Promise<EvaluationAnswer> {
  const trial = evaluation(exchange, setup, options);
  for (let next = await trial.next(); ; next = await trial.next()) if (next.done) return next.value;
}
