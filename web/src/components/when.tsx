const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `5 minutes ago`; of more than a week, the date. */
export function formatAgo(moment: string, now = Date.now()): string {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return short.format(new Date(moment));
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return 'just now';
}

export function When({ moment, exact = false }: { moment: string; exact?: boolean }) {
  const at = new Date(moment);
  return (
    <time dateTime={moment} title={whole.format(at)} className="whitespace-nowrap">
      {exact ? short.format(at) : formatAgo(moment)}
    </time>
  );
}
