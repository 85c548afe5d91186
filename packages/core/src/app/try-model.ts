import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import { assertInstalled, bareGuard } from '@agonhq/models/reasoners';
import { speechParts, hear } from '@agonhq/models/senses';
import type { ModelPool } from '../kits/index.ts';
import { blockOf, seatsFor, type Settings } from '../settings/index.ts';

/** A model that the settings name, and what it is for. */
export interface NamedModel {
  /** `openai:gpt-4o-mini`; `whisper` for a part of this machine. */
  model: string;
  /** `embedded`: on this machine. */
  kind: 'language' | 'embedding' | 'transcription' | 'embedded';
}

type Environment = Record<string, string | undefined>;

/** Every model that the settings name: with a seat, in the place of another, with terms of its own, or for one task. */
export function listNamedModels(jobs: Jobs, settings: Settings, environment: Environment): NamedModel[] {
  const { models = {}, embedding } = settings;
  const seated = jobs
    .list()
    .flatMap((job) => Object.values(seatsFor(job, settings, environment)).flatMap((model) => model ?? []));
  const heard = jobs
    .list()
    .map((job) => blockOf(settings, job)['transcription'])
    .filter((name) => typeof name === 'string' && name !== 'none') as string[];
  const named = new Map<string, NamedModel['kind']>();
  for (const model of seated) named.set(model, isEmbedded(model) ? 'embedded' : 'language');
  if (embedding !== undefined) named.set(embedding, 'embedding');
  for (const model of heard) named.set(model, 'transcription');
  const others = [...Object.keys(models), ...Object.values(models).flatMap(({ fallbacks = [] }) => fallbacks)];
  for (const model of others) if (!named.has(model)) named.set(model, isEmbedded(model) ? 'embedded' : 'language');
  return [...named].map(([model, kind]) => ({ model, kind }));
}

function isEmbedded(model: string): boolean {
  return model.startsWith('embedded:');
}

const patienceMs = 60_000;
/** Half a second of silence. */
const silence = new Float32Array(8_000);

/** A model that is asked by itself, in these words and not in those of the reasoners (see ModelPool). */
interface Asked {
  ask(
    conversation: { role: 'user'; content: string }[],
    options: { signal: AbortSignal },
  ): Promise<{ outcome: 'answered' | 'blocked' } | { outcome: 'failed'; reason: string; detail: string }>;
}

interface TrialOptions {
  /** One without a cache: an answer from before says nothing about today's key. */
  pool: Pick<ModelPool, 'embedder' | 'transcriber'> & {
    target(model: string, options: { maxOutputTokens: number }): Asked;
  };
  environment: Environment;
  signal?: AbortSignal;
}

/**
 * Asks a model for one word, or for what it is made for: its address, its key and its name are right when it answers.
 * Throws an AgonError when it does not; says how many milliseconds it took.
 */
export async function tryModel({ model, kind }: NamedModel, options: TrialOptions): Promise<number> {
  const began = performance.now();
  const patience = AbortSignal.timeout(patienceMs);
  const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
  await trials[kind](model, { ...options, signal });
  return performance.now() - began;
}

const trials: Record<NamedModel['kind'], (model: string, options: Required<TrialOptions>) => Promise<unknown>> = {
  async language(model, { pool, signal }) {
    const reply = await pool
      .target(model, { maxOutputTokens: 64 })
      .ask([{ role: 'user', content: 'Answer with the word yes.' }], { signal });
    if (reply.outcome === 'failed')
      throw new AgonError(
        'models-away',
        `${model} does not answer (${reply.reason}): ${reply.detail}`,
        'Check the address of its provider, and whether it is up.',
      );
  },
  embedding: (model, { pool }) => pool.embedder(model).embed('word'),
  transcription(model, { pool, environment, signal }) {
    const part = speechParts.find((id) => id === model);
    return part
      ? hear(silence, part, { environment, signal })
      : pool.transcriber(model).transcribe(silence, { signal });
  },
  async embedded(model) {
    assertInstalled(model);
    await bareGuard({ text: 'Good morning.' });
  },
};
