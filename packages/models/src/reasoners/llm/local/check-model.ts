import type { LocalSettings } from '../providers/settings.ts';
import { findModelFile } from './find-model.ts';
import { assertLlamaInstalled } from './llama.ts';
import { holdModel, type LocalModel } from './open-model.ts';

type Environment = Record<string, string | undefined>;

/** A local model as it runs here. */
interface MeasuredModel {
  /** `llama 1B IQ2_XXS - 2.0625 bpw`. */
  description: string;
  contextTokens: number;
  threads: number;
  gpu: string | null;
  loadMs: number;
  /** Tokens a second that are read of a prompt, and that are written. */
  reads: number;
  writes: number;
}

/** Finds a model's file, and what runs it, without loading either. */
export function locateLocalModel(name: string, environment: Environment): { bytes: number } {
  const { bytes } = findModelFile(name, environment);
  assertLlamaInstalled(environment);
  return { bytes };
}

/** Loads a model and measures it on a short prompt. */
export async function measureLocalModel(
  name: string,
  settings: LocalSettings,
  environment: Environment,
): Promise<MeasuredModel> {
  const began = performance.now();
  const { model, letGo } = await holdModel(findModelFile(name, environment).path, settings, environment);
  const loadMs = performance.now() - began;
  try {
    const { description, contextTokens, threads, gpu } = model;
    return { description, contextTokens, threads, gpu, loadMs, ...(await measureSpeed(model)) };
  } finally {
    await letGo();
  }
}

const text = 'The quick brown fox jumps over the lazy dog while the sun sets behind the old mill by the river. ';
const read = 96;
const written = 16;

function measureSpeed({ llama, usePlace }: LocalModel): Promise<{ reads: number; writes: number }> {
  const tokens = llama.tokenizer(text.repeat(8)).slice(0, read);
  return usePlace(tokens, undefined, async ({ completion, sequence }) => {
    const time = async (maxTokens: number) => {
      const [before, began] = [sequence.tokenMeter.usedOutputTokens, performance.now()];
      await completion.generateCompletionWithMeta([...tokens], {
        maxTokens,
        temperature: 0,
        seed: 1,
        disableContextShift: true,
        contextShiftSize: 1,
      });
      return { ms: performance.now() - began, tokens: sequence.tokenMeter.usedOutputTokens - before };
    };
    const first = await time(1);
    // The prompt is in memory by now: what this takes is writing.
    const more = await time(written);
    return { reads: (read / first.ms) * 1000, writes: (more.tokens / more.ms) * 1000 };
  });
}
