/* Figures and moments, as terminals show them. */

/** `2026-11-15 09:30`, in local time. */
export function formatMoment(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return (
    `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ` +
    `${two(moment.getHours())}:${two(moment.getMinutes())}`
  );
}

/** `$0.0123`; `–` when a price is not known. */
export function formatMoney(usd: number | null): string {
  if (usd === null) return '–';
  return usd !== 0 && Math.abs(usd) < 1
    ? `$${usd.toFixed(4)}`
    : `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** `42 s`, `3 min 5 s`, `7 h 12 min`, `4 d 3 h`. */
export function printDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${minutes} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

/** `12.3 %` */
export function printPercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** `p = 0.0040`, `p < 0.0001`: how likely something is by chance. */
export function formatChance(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p = ${p.toFixed(4)}`;
}

/** `2,000` */
export function formatInteger(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** `12/2,000`; `12/?` while the total is not known. */
export function formatDone(done: number, total: number | null): string {
  return `${formatInteger(done)}/${total === null ? '?' : formatInteger(total)}`;
}

/** `12 safe, 3 unsafe` */
export function formatCounts(byName: Record<string, number>): string {
  return Object.entries(byName)
    .map(([name, number]) => `${formatInteger(number)} ${name}`)
    .join(', ');
}

/** `1 item`, `2,000 items`, `3 entries` */
export function printCount(number: number, one: string, many = `${one}s`): string {
  return `${formatInteger(number)} ${number === 1 ? one : many}`;
}

/** `0.123` */
export function printShare(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

/** `+0.012`, `−0.003` */
export function formatSigned(value: number): string {
  const size = Math.abs(value).toFixed(3);
  return `${value < 0 && size !== '0.000' ? '−' : '+'}${size}`;
}

export function formatMilliseconds(value: number | null): string {
  return value === null ? '–' : value < 10 ? value.toFixed(1) : Math.round(value).toString();
}

/** `48 MB` */
export function printMegabytes(bytes: number): string {
  return `${formatInteger(Math.round(bytes / 1e6))} MB`;
}
