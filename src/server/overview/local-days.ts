import { AgonError } from '../../errors.ts';

export const dayMs = 86_400_000;
const minuteMs = 60_000;
/** A year, and the days around it. */
const mostDays = 400;

/** A day somewhere, as much of it as was asked for. */
export interface LocalDay {
  /** `2026-11-15`. */
  day: string;
  from: Date;
  to: Date;
}

/** Where the day of a moment begins, for somebody who is so many minutes ahead of UTC. */
export function midnightBefore(moment: Date, offsetMinutes: number): Date {
  const ahead = offsetMinutes * minuteMs;
  return new Date(Math.floor((moment.getTime() + ahead) / dayMs) * dayMs - ahead);
}

/** Every day from one moment up to another. */
export function localDays(since: Date, until: Date, offsetMinutes: number): LocalDay[] {
  if (since >= until)
    throw new AgonError('bad-request', 'The time ends before it begins.', 'Give `since` before `until`.');
  const days: LocalDay[] = [];
  for (let from = since; from < until;) {
    const midnight = midnightBefore(from, offsetMinutes);
    const to = new Date(Math.min(midnight.getTime() + dayMs, until.getTime()));
    days.push({ day: new Date(midnight.getTime() + offsetMinutes * minuteMs).toISOString().slice(0, 10), from, to });
    if (days.length > mostDays)
      throw new AgonError('bad-request', `More than ${mostDays} days were asked for.`, 'Ask for less at once.');
    from = to;
  }
  return days;
}
