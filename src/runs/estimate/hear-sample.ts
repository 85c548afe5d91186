import { requireJob } from '../../jobs/index.ts';
import { createAgon, type Agon } from '../../app/index.ts';
import { resultOf, findTurns, type Transcript } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import type { Ledger, NewRunItem } from '../../ledger/index.ts';
import { defaultPolicy, loadPolicy, type Policy } from '../../policy/index.ts';
import {
  createEmbeddedReasoner,
  createMeteredPool,
  embeddedModel,
  type MeteredCall,
  type ModelTerms,
} from '../../reasoners/index.ts';
import { llmSettingsOf, withoutSettings, type Settings } from '../../settings/index.ts';
import { isMistake } from '../mistakes.ts';
import { offTheRecord, standInFor } from './stand-in.ts';

export interface Hearing {
  job: string;
  /** All layers, the environment's among them. */
  settings: Settings;
  policy?: Policy;
  /** By job, what it was fitted on data with. */
  fitted?: Readonly<Record<string, unknown>>;
  evaluatedModel?: string | null;
  ledger: Ledger | null;
  environment: Record<string, string | undefined>;
  signal: AbortSignal;
}

/** What an item of the sample would have been called for. */
export interface HeardItem {
  calls: readonly MeteredCall[];
  milliseconds: number;
  /** Whether one of its seats is the embedded reasoner's own. */
  embedded: boolean;
  /** Turns for which the stand-in had no answer. */
  unargued: number;
  /** The code of the error, where it could not be judged. */
  failed: string | null;
}

/** Takes items one by one through the real protocol, with every model metered and nothing put on record. */
export async function hearSample(
  sample: readonly NewRunItem[],
  hearing: Hearing,
  onItem?: () => void,
): Promise<{ heard: HeardItem[]; termsOf: (model: string) => ModelTerms }> {
  const { job, ledger, environment, signal } = hearing;
  const { embedding: _, calibration: __, ...settings } = hearing.settings;
  const policy = hearing.policy ?? (settings.policy ? await loadPolicy(settings.policy) : await defaultPolicy());
  let calls: MeteredCall[] = [];
  const pool = createMeteredPool({
    settings: llmSettingsOf({ ...settings, cache: false }),
    environment,
    standIn: standInFor(createEmbeddedReasoner(policy)),
    onCall: (call) => void calls.push(call),
  });
  const agon = await createAgon(
    { ...settings, ledger: false },
    {
      environment: withoutSettings(environment),
      jobs: [job],
      policy,
      pool,
      calibration: null,
      ...(hearing.fitted ? { fitted: hearing.fitted } : {}),
      ...(ledger ? { ledger: offTheRecord(ledger) } : {}),
    },
  );
  try {
    const heard: HeardItem[] = [];
    for (const item of sample) {
      calls = [];
      const startedAt = performance.now();
      const outcome = await judge(agon, item, hearing).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!AgonError.is(error) || isMistake(error)) throw error;
        return { failed: error.code };
      });
      const milliseconds = performance.now() - startedAt;
      heard.push({
        calls,
        milliseconds,
        ...('failed' in outcome ? { ...outcome, embedded: false, unargued: 0 } : { ...outcome, failed: null }),
      });
      onItem?.();
    }
    return { heard, termsOf: (model) => pool.terms(model) };
  } finally {
    await agon.close();
  }
}

async function judge(
  agon: Agon,
  { input }: NewRunItem,
  { job, ledger, evaluatedModel, signal }: Hearing,
): Promise<Pick<HeardItem, 'embedded' | 'unargued'>> {
  const { items, debates } = requireJob(job);
  const files = { find: async (hash: string) => ledger?.attachments.findAttachment(hash), local: true };
  const { input: subject, options } = await items.openItem(input, files, { evaluatedModel: evaluatedModel ?? null });
  return told(debates(await resultOf(agon.judge(requireJob(job), subject, { ...options, signal }))));
}

function told(answers: readonly { transcript: Transcript }[]): Pick<HeardItem, 'embedded' | 'unargued'> {
  const turns = answers.flatMap(({ transcript }) => findTurns(transcript));
  return {
    embedded: turns.some(({ reasoner }) => reasoner === embeddedModel),
    unargued: turns.filter(({ fallback }) => fallback).length,
  };
}
