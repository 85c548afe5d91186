import { AgonError } from '../errors.ts';
import type { Settings } from '../settings/index.ts';
import type { JudgedCase } from './case-on-record.ts';

type Seats = NonNullable<Settings['seats']>;

/** Which model each seat of a case is to have, seat by seat; a role stands for all of its seats. */
export function seatsInQuestion({ id, job, answer }: JudgedCase, given: Settings['seats'] = {}): Record<string, string> {
  const present = Object.keys(answer.provenance.models);
  const pairs = Object.entries(given).flatMap(([name, value]) => {
    const meant = present.filter((seat) => seat === name || seat.startsWith(`${name}#`));
    const models = [value].flat();
    if (meant.length === 0) {
      throw new AgonError('bad-flag', `Case ${id} has no seat ${name}.`, `This ${job} case has ${present.join(', ')}.`);
    }
    return meant.map((seat, index): [string, string] => [seat, models[index % models.length]!]);
  });
  return Object.fromEntries(pairs);
}

/** As settings: a number is stronger than the role alone, whatever the record has. */
export function asSettings(models: Record<string, string>): Seats {
  return Object.fromEntries(Object.entries(models).map(([seat, model]) => [seat === 'auditor' || seat === 'detector' ? `${seat}#1` : seat, model]));
}

/** Where a case has several models, each seat gets the next one: nobody hears an appeal from the seat it sat in. */
export function otherModels(models: Record<string, string>): Record<string, string> {
  const distinct = [...new Set(Object.values(models))];
  return Object.fromEntries(Object.entries(models).map(([seat, model]) => [seat, distinct[(distinct.indexOf(model) + 1) % distinct.length]!]));
}
