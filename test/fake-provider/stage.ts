import { z } from 'zod';
import {
  createFence,
  type Answered,
  type Failed,
  type Prompt,
  type Question,
  type Reasoner,
  type Role,
} from '@agonhq/engine/debate';
import { startFakeProvider, type FakeProvider, type FakeScript } from './index.ts';
import { createLlmPool, type LlmPool, type LlmSettings } from '@agonhq/models/reasoners';

export const key = 'sk-test-0123456789abcdef';

const argument = z.object({ statement: z.string(), score: z.number().min(0).max(1) });
export type Argument = z.infer<typeof argument>;

export const good: Argument = { statement: 'The text is a joke.', score: 0.2 };

/** A debater small enough for a test. */
export function debater(overrides: Partial<Role<Argument>> & { words?: Partial<Prompt> } = {}): Role<Argument> {
  const { words, ...role } = overrides;
  return {
    id: 'strict-debater',
    schema: argument,
    schemaName: 'argument',
    maxOutputTokens: 200,
    prompt: () => ({
      instructions: 'You debate.',
      caseFile: 'CASE: a text.',
      transcript: 'TRANSCRIPT: nothing yet.',
      task: 'TASK: argue.',
      ...words,
    }),
    read: ({ statement, score }) => ({ statement, score, quotes: [] }),
    fallback: () => ({ statement: 'Nobody spoke.', score: 0.5 }),
    ...role,
  };
}

export function question(overrides: Partial<Question> = {}): Question {
  const caseFile = { sources: [] };
  return { caseFile, transcript: [], round: 1, seat: 'strict-debater', fence: createFence(caseFile, ''), ...overrides };
}

export interface Stage extends AsyncDisposable {
  provider: FakeProvider;
  pool: LlmPool;
  reasoner: Reasoner;
  ask(options?: AskOptions): Promise<Answered<Argument> | Failed>;
}

interface AskOptions {
  role?: Role<Argument>;
  question?: Question;
  signal?: AbortSignal;
  onDelta?: (delta: string) => void;
}

/**
 * A pool whose every provider is one fake provider. Retries wait a millisecond, unless settings say otherwise.
 *
 * @example await using stage = await setStage(() => json(good));
 */
export async function setStage(
  script?: FakeScript,
  settings: LlmSettings = {},
  model = 'openai:gpt-4o-mini',
): Promise<Stage> {
  const provider = await startFakeProvider(script);
  const v1 = { baseUrl: `${provider.url}/v1`, apiKey: key };
  const own: NonNullable<LlmSettings['providers']> = {
    openai: v1,
    anthropic: v1,
    azure: v1,
    google: { baseUrl: `${provider.url}/v1beta`, apiKey: key },
    ollama: { baseUrl: v1.baseUrl },
    vllm: { baseUrl: v1.baseUrl },
    groq: v1,
  };
  const given = Object.entries(settings.providers ?? {}).map(([name, more]) => [name, { ...own[name], ...more }]);
  const pool = createLlmPool(
    {
      ...settings,
      providers: { ...own, ...Object.fromEntries(given) },
      defaults: { retryDelayMs: 1, ...settings.defaults },
    },
    {},
  );
  const reasoner = pool.forItem()(model);
  return {
    provider,
    pool,
    reasoner,
    ask: ({ role = debater(), question: asked = question(), signal = new AbortController().signal, onDelta } = {}) =>
      reasoner.answer(role, asked, { signal, onDelta }),
    [Symbol.asyncDispose]: () => provider.close(),
  };
}

/** Replies one after the other; the last one stays. */
export function inTurn(...replies: ReturnType<FakeScript>[]): FakeScript {
  return ({ index }) => replies[Math.min(index, replies.length - 1)]!;
}
