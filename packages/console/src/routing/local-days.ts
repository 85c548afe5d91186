/* Days where somebody is, as an address and <input type="date"> write them. */

/** `2026-11-15`, where it is a day of the calendar. */
export function readDay(given: string | undefined): string | undefined {
  const isDay = given !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(given) && localMidnight(given) !== undefined;
  return isDay ? given : undefined;
}

export function localMidnight(date: string, daysLater = 0): Date | undefined {
  const [year, month, dayOfMonth] = date.split('-').map(Number) as [number, number, number];
  const midnight = new Date(year, month - 1, dayOfMonth + daysLater);
  const exists = new Date(year, month - 1, dayOfMonth).getMonth() === month - 1;
  return exists ? midnight : undefined;
}

export function formatLocalDay(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** Where so many days begin that end with today. */
export function findFirstDay(days: number, now = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
}
