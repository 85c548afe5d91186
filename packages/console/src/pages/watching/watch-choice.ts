import { readJobId } from '../../jobs/index.ts';
import { formatLocalDay } from '../../routing/local-days.ts';
import { pickOne, type RawSearch } from '../../routing/search.ts';

/* Which time, steps and groups are shown, as the address says it. */

export const periods = ['1', '7', '30', '90'] as const;
export const steps = ['hour', 'day', 'week'] as const;
export const groups = [
  ['clause', 'Clause'],
  ['language', 'Language'],
  ['channel', 'Channel'],
  ['run', 'Run'],
  ['job', 'Job'],
] as const;
export type ChosenGroup = (typeof groups)[number][0];

/** The server counts at most so many steps at once. */
const mostHours = 16;

export function readChoice(raw: RawSearch) {
  const days = pickOne(periods, raw['days']) ?? '30';
  const step = pickOne(steps, raw['step']) ?? (days === '1' ? 'hour' : 'day');
  return {
    days,
    step: step === 'hour' && Number(days) > mostHours ? 'day' : step,
    by: pickOne(
      groups.map(([name]) => name),
      raw['by'],
    ),
    value: raw['value'],
    job: readJobId(raw['job']),
  };
}

export type WatchChoice = ReturnType<typeof readChoice>;

/** A group in words: the empty one is of cases that say nothing. */
export function nameGroup(by: ChosenGroup | undefined, value: string): string {
  if (value !== '') return value;
  if (by === undefined) return 'All cases';
  return { clause: 'No clause', language: 'Not said', channel: 'Not said', run: 'No run', job: 'None' }[by];
}

/** The cases of a step, and of a group where it has a name. */
export function findCases({ by, job }: WatchChoice, value: string, step?: { from: string; to: string }) {
  return {
    ...(job ? { job } : {}),
    ...(by && value !== '' ? { [by === 'job' ? 'job' : by]: value } : {}),
    ...(step
      ? { from: formatLocalDay(new Date(step.from)), to: formatLocalDay(new Date(Date.parse(step.to) - 1)) }
      : {}),
  };
}
