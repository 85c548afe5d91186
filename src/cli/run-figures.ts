/** Figures of runs in words that fit a column. */

/** `$0.0123`; `–` when a price is not known. */
export function money(usd: number | null): string {
  if (usd === null) return '–';
  return usd !== 0 && Math.abs(usd) < 1
    ? `$${usd.toFixed(4)}`
    : `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** `42 s`, `3 min 5 s`, `7 h 12 min`, `4 d 3 h`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${minutes} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

/** `12.3 %` */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** `.004`, `< .0001`: how likely something is by chance. */
export function chance(p: number): string {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
}

/** `12 safe, 3 unsafe` */
export function counted(byName: Record<string, number>): string {
  return Object.entries(byName)
    .map(([name, number]) => `${number.toLocaleString('en')} ${name}`)
    .join(', ');
}
