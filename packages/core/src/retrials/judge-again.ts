import { createAgon, type AgonParts } from '../app/index.ts';
import type { JobAnswer, Jobs, JudgeEvent } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { llmSettingsOf, mergeSettings, withoutSettings, type Settings } from '../settings/index.ts';
import type { JudgedCase } from './find-case.ts';
import { replaceAbsentSeats } from './installed-models.ts';
import { toSeatSettings, readSeats } from './resolve-seats.ts';

/** How a case is held again. */
export interface RetrialConditions {
  jobs: Jobs;
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
export interface RetrialResult {
  answer: JobAnswer;
  recalled: string[];
  argued: string[];
}

/**
 * Holds the trial of a case again: yields what happens, returns the new answer and which entries were only recalled.
 */
export async function* judgeAgain(
  record: JudgedCase,
  conditions: RetrialConditions,
): AsyncGenerator<JudgeEvent, RetrialResult, void> {
  const { jobs } = conditions;
  const job = jobs.require(record.job);
  const agon = await createAgon(settingsFor(record, conditions), {
    ...conditions.parts,
    environment: withoutSettings(jobs, conditions.parts.environment ?? process.env),
    jobs,
    only: [job.id],
  });
  const recalled: string[] = [];
  const argued: string[] = [];
  try {
    const { ledger } = conditions.parts;
    const files = { find: (hash: string) => ledger.attachments.findAttachment(hash), local: false };
    const { input, options } = await job.restore(
      record.context === null ? record.content : { ...(record.content as object), context: record.context },
      files,
    );
    const { debate, statement, without, signal, stream } = conditions;
    const trial = agon.judge(job, input, {
      ...options,
      debate,
      statement,
      signal,
      stream,
      ...(without ? { withoutPrecedents: without } : {}),
    });
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
function settingsFor(record: JudgedCase, { jobs, settings, changed }: RetrialConditions): Settings {
  const { job, settings: onRecord } = record;
  const { embedding, knownImages, knownImageDistance } = settings;
  const reach = { ...llmSettingsOf(settings), embedding, knownImages, knownImageDistance };
  const recorded = onRecord as Pick<Settings, 'seats' | 'sensitivity'> & Record<string, unknown>;
  // Each seat by its own name: a seat that followed another's model must not follow it now.
  return mergeSettings(
    reach,
    { seats: replaceAbsentSeats(recorded.seats), sensitivity: recorded.sensitivity, [job]: recorded[job] },
    { seats: toSeatSettings(jobs, readSeats(jobs, record)) },
    changed,
  );
}
