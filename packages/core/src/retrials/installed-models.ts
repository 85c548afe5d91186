import { AgonError } from '@agonhq/engine/agon-error';
import { embeddedDigest, embeddedModel, isAbsentModel } from '@agonhq/models/reasoners';
import type { Jobs } from '@agonhq/judges/job';
import type { Settings } from '../settings/index.ts';
import type { JudgedCase } from './find-case.ts';
import { readSeats } from './resolve-seats.ts';

/**
 * Refuses to replay a case in seats whose model is not installed, or is another than its name says: what came out
 * would be no replay. Seats that are given to other models do not count.
 */
export function assertSameModels(jobs: Jobs, record: JudgedCase, changed: Readonly<Record<string, string>>): void {
  const models = Object.entries(readSeats(jobs, record)).flatMap(([seat, model]) =>
    changed[seat] === undefined || changed[seat] === model ? [model] : [],
  );
  const missing = models.map((model) => findAbsent(record, model)).find((found) => found !== null);
  if (missing === undefined) return;
  throw new AgonError(
    'model-not-installed',
    `Case ${record.id} was judged by ${missing}, which is not installed: this Agon has ${embeddedModel} ` +
      `(${embeddedDigest}).`,
    {
      library: `Hear it anew with \`appeal\`, or give its seats to ${embeddedModel}.`,
      cli:
        `Judge it anew with \`agon appeal ${record.id}\`, or replay it with ${release(record)}, which has that ` +
        'model. The answer on record stays as it is, and `agon verify` checks it.',
      api: `Judge it anew: POST /api/cases/${record.id}/appeal. The answer on record stays as it is.`,
    },
  );
}

/** How a model is named that this Agon does not have; null where it has it, or cannot know. */
function findAbsent({ answer }: JudgedCase, model: string): string | null {
  const digest = answer.provenance.digests?.[model];
  if (isAbsentModel(model)) return digest === undefined ? model : `${model} (${digest})`;
  if (model !== embeddedModel || digest === undefined || digest === embeddedDigest) return null;
  return `another ${model} (${digest})`;
}

function release({ answer }: JudgedCase): string {
  return `Agon ${answer.provenance.agon}`;
}

/** The models of some seats, with the one that is installed in the place of one that is not. */
export function replaceAbsent(models: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(models).map(([seat, model]) => [seat, isAbsentModel(model) ? embeddedModel : model]),
  );
}

/** The same for seats as they were set: what nobody sat in then must not ask for a model that is not there. */
export function replaceAbsentSeats(seats: Settings['seats'] = {}): NonNullable<Settings['seats']> {
  const replace = (model: string) => (isAbsentModel(model) ? embeddedModel : model);
  return Object.fromEntries(
    Object.entries(seats).flatMap(([seat, models]) => {
      if (models === undefined) return [];
      return [[seat, typeof models === 'string' ? replace(models) : models.map(replace)]];
    }),
  );
}

/** What a reader must know who sees other models than those that judged first. */
export function noteAbsent(models: Readonly<Record<string, string>>): string[] {
  const absent = [...new Set(Object.values(models).filter(isAbsentModel))];
  return absent.map(
    (model) => `${model}, which judged the case first, is not installed: ${embeddedModel} took its place.`,
  );
}
