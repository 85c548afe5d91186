import { createAgon, type Agon, type AgonParts, type Job } from '../app/index.ts';
import type { Answer } from '../debate/index.ts';
import type { Analysis, AnalysisEvent, Dossier } from '../jobs/documents/index.ts';
import { AgonError } from '../errors.ts';
import type { EvaluationEvent, Exchange } from '../jobs/evaluation/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Content, ModerationEvent } from '../jobs/moderation/index.ts';
import { llmSettingsOf, mergeSettings, withoutSettings, type Settings } from '../settings/index.ts';
import type { JudgedCase } from './case-on-record.ts';
import { asSettings, seatsOnRecord } from './seats-in-question.ts';

export type RetrialEvent = ModerationEvent | EvaluationEvent | AnalysisEvent;

/** How a case is held again. */
export interface Conditions {
  /** The debate's new id. */
  debate: string;
  /** Models, keys and limits of the installation; seats and plan are those on record. */
  settings: Settings;
  /** What is set otherwise than on record. */
  changed: Settings;
  parts: AgonParts & { ledger: Ledger };
  statement?: string;
  /** Precedents it is held without. */
  without?: readonly string[];
  signal?: AbortSignal;
  stream?: boolean;
}

/** What was said again, by key. */
export interface Heard {
  answer: Answer | Analysis;
  recalled: string[];
  argued: string[];
}

/**
 * Holds the trial of a case again: yields what happens, returns the new answer and which entries were only recalled.
 */
export async function* holdAgain(
  record: JudgedCase,
  conditions: Conditions,
): AsyncGenerator<RetrialEvent, Heard, void> {
  const job = record.job as Job;
  const agon = await createAgon(settingsFor(record, conditions), {
    ...conditions.parts,
    environment: withoutSettings(conditions.parts.environment ?? process.env),
    jobs: [job],
  });
  const recalled: string[] = [];
  const argued: string[] = [];
  try {
    const trial = await trialOf(agon, record, conditions);
    for (let next = await trial.next(); ; next = await trial.next()) {
      if (next.done) return { answer: next.value, recalled, argued };
      const event = next.value;
      if (event.type === 'turn-end' || event.type === 'compute-end')
        (event.replayed ? recalled : argued).push(event.key);
      yield event;
    }
  } finally {
    await agon.close();
  }
}

/** Seats and plan as they were; how models are reached is the installation's business. */
function settingsFor(record: JudgedCase, { settings, changed }: Conditions): Settings {
  const { job, settings: onRecord } = record;
  const reach = { ...llmSettingsOf(settings), embedding: settings.embedding };
  const recorded = onRecord as { seats?: Settings['seats'] } & Record<string, unknown>;
  // Each seat by its own name: a seat that followed another's model must not follow it now.
  return mergeSettings(
    reach,
    { seats: recorded.seats, [job]: recorded[job] },
    { seats: asSettings(seatsOnRecord(record)) },
    changed,
  );
}

async function trialOf(
  agon: Agon,
  record: JudgedCase,
  { parts, debate, statement, without, signal, stream }: Conditions,
): Promise<AsyncGenerator<RetrialEvent, Answer | Analysis, void>> {
  const options = { debate, statement, signal, stream };
  switch (record.job as Job) {
    case 'moderation':
      return agon.moderation(await contentOf(record, parts.ledger), {
        ...options,
        ...(without ? { unseen: { precedents: without } } : {}),
      });
    case 'evaluation':
      return agon.evaluation(record.content as Exchange, options);
    case 'documents': {
      const { documents, factors, maxFactors } = record.content as Dossier & {
        factors: string[] | null;
        maxFactors: number;
      };
      return agon.analysis({ documents }, { debate, signal, maxFactors, ...(factors ? { factors } : {}) });
    }
  }
}

/** What was judged, with the images' bytes in their places again. */
export async function contentOf(
  { id, content }: Pick<JudgedCase, 'id' | 'content'>,
  { attachments }: Pick<Ledger, 'attachments'>,
): Promise<Content> {
  const { images, ...rest } = content as Omit<Content, 'images'> & {
    images?: ({ description: string } | { attachment: string })[];
  };
  if (!images) return rest;
  return {
    ...rest,
    images: await Promise.all(
      images.map(async (image) => {
        if ('description' in image) return image;
        const kept = await attachments.findAttachment(image.attachment);
        if (!kept)
          throw new AgonError(
            'forgotten-case',
            `An image of case ${id} was forgotten.`,
            'Only its verdict and seal are left: it cannot be held again.',
          );
        return { data: new Uint8Array(kept.data) };
      }),
    ),
  };
}
