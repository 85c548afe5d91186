import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import { modelOf, type SeatSettings, type Settings } from '../settings/index.ts';
import type { JudgedCase } from './find-case.ts';

type Models = Record<string, string>;

/**
 * The seats of a case with their models, by names that a setting knows: a panel without roles sits in the seats of
 * the debate.
 */
export function readSeats(
  jobs: Jobs,
  { answer, settings, job }: Pick<JudgedCase, 'answer' | 'settings' | 'job'>,
): Models {
  const { models } = answer.provenance;
  if (!Object.keys(models).some((seat) => /^(vote|peer|control)\b/.test(seat))) return models;
  const { seats = {}, ...blocks } = settings as { seats?: SeatSettings } & Record<string, Record<string, unknown>>;
  const seeing: Models = models['preprocessor'] === undefined ? {} : { preprocessor: models['preprocessor'] };
  const judging = jobs.require(job);
  const debating = judging.debateSeats(blocks[job] ?? {}, answer.provenance);
  return { ...seeing, ...Object.fromEntries(debating.map((seat) => [seat, modelOf(judging, seat, seats) ?? ''])) };
}

/** Which model each seat of a case is to have, seat by seat; a role stands for all of its seats. */
export function resolveSeats(jobs: Jobs, record: JudgedCase, given: Settings['seats'] = {}): Models {
  const present = Object.keys(readSeats(jobs, record));
  const pairs = Object.entries(given).flatMap(([name, value]) => {
    const meant = present.filter((seat) => seat === name || seat.startsWith(`${name}#`));
    const models = [value].flat();
    if (meant.length === 0) {
      throw new AgonError(
        'no-such-seat',
        `Case ${record.id} has no seat ${name}.`,
        present.length > 0 ? `This ${record.job} case has ${present.join(', ')}.` : 'It was judged by code alone.',
      );
    }
    return meant.map((seat, index): [string, string] => [seat, models[index % models.length]!]);
  });
  return Object.fromEntries(pairs);
}

/**
 * As settings. A number is stronger than the role alone; what is no name of a model is a reasoner or a program that
 * its owner, or the job, brings again.
 */
export function toSeatSettings(jobs: Jobs, models: Models): NonNullable<Settings['seats']> {
  const named = Object.entries(models).filter(([, model]) => /^(?!program:)[^\s:]+:\S+$/.test(model));
  return Object.fromEntries(named.map(([seat, model]) => [isShared(jobs, seat) ? `${seat}#1` : seat, model]));
}

/** Where a case has several models, each seat gets the next one: nobody hears an appeal from the seat it sat in. */
export function rotateModels(models: Models): Models {
  const distinct = [...new Set(Object.values(models))];
  return Object.fromEntries(
    Object.entries(models).map(([seat, model]) => [seat, distinct[(distinct.indexOf(model) + 1) % distinct.length]!]),
  );
}

/** Whether several may sit there. */
function isShared(jobs: Jobs, seat: string): boolean {
  return jobs.list().some((job) => job.seats[seat]?.several);
}
