import { listNamedModels, tryModel } from '@agonhq/core/app';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import { createLlmPool, type LlmPool } from '@agonhq/models/reasoners';
import { llmSettingsOf, type Settings } from '@agonhq/core/settings';

/** Tries the models that the settings name, and no others: nobody makes the server call an address of theirs. */
export interface ModelTrials {
  /** How many milliseconds it took to answer; throws an AgonError when it did not. */
  tryModel(model: string, signal: AbortSignal): Promise<number>;
}

export function openModelTrials(
  jobs: Jobs,
  settings: Settings,
  environment: Record<string, string | undefined>,
): ModelTrials {
  let pool: LlmPool | null = null;
  return {
    async tryModel(name, signal) {
      const named = listNamedModels(jobs, settings, environment).find(({ model }) => model === name);
      if (!named)
        throw new AgonError(
          'unnamed-model',
          'The settings of the server name no such model.',
          'GET /api/settings lists those that can be tried.',
        );
      // What waits for a person is tried once: whoever wants to know asks again.
      const { defaults, ...llm } = llmSettingsOf(settings);
      pool ??= createLlmPool({ ...llm, defaults: { ...defaults, retries: 0 }, cache: false }, environment);
      return tryModel(named, { pool, environment, signal });
    },
  };
}
