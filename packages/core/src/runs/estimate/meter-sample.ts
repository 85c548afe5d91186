import type { JobAnswer, Jobs } from '@agonhq/judges/job';
import { createAgon, type Agon } from '../../app/index.ts';
import { resultOf, findTurns, type Transcript, memoryJournal, noUsage, type Reasoner } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, NewRunItem } from '@agonhq/ledger';
import { defaultPolicy, loadPolicy, type Policy } from '@agonhq/engine/policy';
import {
  createEmbeddedReasoner,
  createMeteredPool,
  embeddedModel,
  type MeteredCall,
  type ModelTerms,
} from '@agonhq/models/reasoners';
import { llmSettingsOf, withoutSettings, type Settings } from '../../settings/index.ts';
import { isMistake } from '../mistakes.ts';

/** As long as descriptions of images are, and about nothing that would be judged. */
const description =
  'A colour photograph taken outdoors in daylight. In the foreground a person in a dark jacket stands beside a ' +
  'wooden table and looks at a sheet of paper. ' +
  'On the table lie a folded map, a cup, a pair of glasses and a small box with a printed label. Behind the table ' +
  'there are two trees, a low brick wall and a ' +
  'parked bicycle; the sky is overcast. A sign on the wall carries a few printed words in capital letters and an ' +
  'arrow that points to the left. The style is that ' +
  'of an ordinary snapshot, slightly out of focus at the edges, with a caption along the bottom in white letters ' +
  'on a dark ground. No symbols, flags, gestures, injuries or nudity are visible.';

/**
 * The embedded reasoner in every seat. It cannot see: where an image is to be described, a description of the usual
 * length stands in.
 */
function standInFor(embedded: Reasoner): Reasoner {
  return {
    ...embedded,
    answer: async (role, question, options) =>
      role.id === 'preprocessor'
        ? {
            outcome: 'answered',
            value: role.schema.parse({ description }),
            usage: { ...noUsage, calls: 1 },
            latencyMs: 0,
            model: embedded.id,
            raw: '',
          }
        : embedded.answer(role, question, options),
  };
}

/** A ledger whose precedents are drawn on, and which keeps nothing of what is tried out. */
function offTheRecord(ledger: Ledger): Ledger {
  const cases = { ...ledger.cases, openCase: () => Promise.resolve(), closeCase: async (answer: JobAnswer) => answer };
  return { ...ledger, journal: memoryJournal(), cases };
}

export interface SampleOptions {
  jobs: Jobs;
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
export interface MeteredItem {
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
export async function meterSample(
  sample: readonly NewRunItem[],
  trying: SampleOptions,
  onItem?: () => void,
): Promise<{ heard: MeteredItem[]; termsOf: (model: string) => ModelTerms }> {
  const { jobs, job, ledger, environment, signal } = trying;
  const { embedding: _, calibration: __, ...settings } = trying.settings;
  const policy = trying.policy ?? (settings.policy ? await loadPolicy(settings.policy) : await defaultPolicy());
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
      jobs,
      environment: withoutSettings(jobs, environment),
      only: [job],
      policy,
      pool,
      calibration: null,
      ...(trying.fitted ? { fitted: trying.fitted } : {}),
      ...(ledger ? { ledger: offTheRecord(ledger) } : {}),
    },
  );
  try {
    const heard: MeteredItem[] = [];
    for (const item of sample) {
      calls = [];
      const startedAt = performance.now();
      const outcome = await judge(agon, item, trying).catch((error: unknown) => {
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
  { job, ledger, evaluatedModel, signal }: SampleOptions,
): Promise<Pick<MeteredItem, 'embedded' | 'unargued'>> {
  const { items, debates } = agon.jobs.require(job);
  const files = { find: async (hash: string) => ledger?.attachments.findAttachment(hash), local: true };
  const { input: subject, options } = await items.openItem(input, files, { evaluatedModel: evaluatedModel ?? null });
  return told(debates(await resultOf(agon.judge(agon.jobs.require(job), subject, { ...options, signal }))));
}

function told(answers: readonly { transcript: Transcript }[]): Pick<MeteredItem, 'embedded' | 'unargued'> {
  const turns = answers.flatMap(({ transcript }) => findTurns(transcript));
  return {
    embedded: turns.some(({ reasoner }) => reasoner === embeddedModel),
    unargued: turns.filter(({ fallback }) => fallback).length,
  };
}
