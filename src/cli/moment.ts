import { AgonError } from '../errors.ts';

const spans: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** A moment as people write it: `90d`, `12h` or `8w` ago, or a date. */
export function momentFrom(flag: string, value: string, now = new Date()): Date {
  return moment(flag, value, (span) => now.getTime() - span, 'for so long ago');
}

/** The same for what is to come: `90d`, `12h` or `8w` from now, or a date. */
export function momentAhead(flag: string, value: string, now = new Date()): Date {
  return moment(flag, value, (span) => now.getTime() + span, 'from now');
}

function moment(flag: string, value: string, away: (span: number) => number, words: string): Date {
  const span = /^(\d{1,6})([hdw])$/.exec(value);
  const found = span
    ? new Date(away(Number(span[1]) * spans[span[2]!]!))
    : /^\d{4}-\d{2}-\d{2}/.test(value)
      ? new Date(value)
      : new Date(NaN);
  if (Number.isNaN(found.getTime()))
    throw new AgonError(
      'bad-flag',
      `${flag} ${value} is no moment.`,
      `Write 90d, 12h or 8w ${words}, or a date: 2026-01-31.`,
    );
  return found;
}

/** `2026-11-15 09:30`, in local time. */
export function momentWords(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return (
    `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ` +
    `${two(moment.getHours())}:${two(moment.getMinutes())}`
  );
}
