import type { ProviderModel } from '../calls/call-model.ts';
import { hashOf } from '@agonhq/engine/hash';
import type { LocalSettings } from '../providers/settings.ts';
import { findModelFile } from './find-model.ts';
import { createLocalLanguageModel } from './language-model.ts';
import { holdModel } from './open-model.ts';

export { addModel, parseModelSource, readModelNote, removeModel } from './add-model.ts';
export { locateLocalModel, measureLocalModel } from './check-model.ts';
export { findModelFile, listLocalModels, localModelsFolder } from './find-model.ts';

/** A model of this machine as a pool knows it; it is loaded when it is first asked. */
export interface OpenedLocalModel {
  model: ProviderModel;
  digest: string;
  /** Everything of it that may change an answer. */
  identity: string;
  concurrency: number;
  timeoutMs: number;
  close(): Promise<void>;
}

/** A token a second is slow, and no failure. */
export const patienceMs = 60 * 60_000;

/** Finds the file of `local:…` at once, so that a wrong name is said at once. */
export function openLocalModel(
  name: string,
  settings: LocalSettings,
  environment: Record<string, string | undefined>,
): OpenedLocalModel {
  const file = findModelFile(name, environment);
  let holding: ReturnType<typeof holdModel> | undefined;
  const hold = () => {
    holding ??= holdModel(file.path, settings, environment).catch((error: unknown) => {
      holding = undefined;
      throw error;
    });
    return holding;
  };
  const { contextTokens, maxOutputTokens } = settings;
  return {
    model: createLocalLanguageModel(name, async () => (await hold()).model, settings),
    digest: file.digest,
    identity: hashOf({ file: file.digest, contextTokens, maxOutputTokens }),
    concurrency: settings.sequences,
    timeoutMs: patienceMs,
    async close() {
      await (await holding)?.letGo();
      holding = undefined;
    },
  };
}
