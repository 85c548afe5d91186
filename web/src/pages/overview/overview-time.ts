import { oneOf, type RawSearch } from '../../routing/search.ts';

/* Which time and job the overview is of, as the address says it. */

export const ranges = ['7', '30', '90'] as const;
export const jobs = ['moderation', 'evaluation', 'documents'] as const;

export interface OverviewChoice {
  days: (typeof ranges)[number];
  job: (typeof jobs)[number] | undefined;
}

export function readChoice(raw: RawSearch): OverviewChoice {
  return { days: oneOf(ranges, raw['days']) ?? '30', job: oneOf(jobs, raw['job']) };
}

/** Local midnight, so many days back, today included. */
export function findStart(days: number, now = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
}

/** `2026-11-15`, as a local day. */
export function formatLocalDay(moment: Date): string {
  return `${moment.getFullYear()}-${String(moment.getMonth() + 1).padStart(2, '0')}-${String(moment.getDate()).padStart(2, '0')}`;
}
