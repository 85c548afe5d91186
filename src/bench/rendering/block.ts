import type { Interval } from '../metrics/bootstrap.ts';
import type { Estimate } from '../metrics/measure.ts';

/** A cell of a table. */
export interface Cell {
  text: string;
  /** Names come from data and settings, and are never read as markup. Titles, leads and notes hold none of them. */
  name?: boolean;
  /** To the right. */
  number?: boolean;
  /** `best` and `second` as the paper marks them; `breach` for what reaches a threshold. */
  emphasis?: 'best' | 'second' | 'breach';
}

export interface Table {
  head: readonly Cell[];
  rows: readonly (readonly Cell[])[];
}

/** A bar with its interval, in a group of bars that are compared. */
export interface Bar {
  name: string;
  tone: 'debate' | 'judge' | 'other';
  estimate: Estimate;
}

export type Chart =
  | { kind: 'bars'; title: string; groups: readonly { label: string; bars: readonly Bar[] }[] }
  | { kind: 'lines'; title: string; columns: readonly string[]; series: readonly { name: string; points: readonly (Estimate | null)[] }[] };

/** One table or figure of the report: what it shows, or what would be needed to show it. */
export interface Block {
  title: string;
  lead: string;
  table?: Table;
  chart?: Chart;
  /** Lines below it. */
  notes?: readonly string[];
  missing?: string;
}

export const words = (text: string): Cell => ({ text });
export const name = (text: string): Cell => ({ text, name: true });
/** A name above a column of numbers. */
export const column = (text: string): Cell => ({ text, name: true, number: true });
export const number = (text: string, emphasis?: Cell['emphasis']): Cell => ({ text, number: true, ...(emphasis && { emphasis }) });

/** The head of a table: words above the first columns, numbers above the others. */
export function headOf(titles: readonly string[], wordColumns = 1): Cell[] {
  return titles.map((text, place) => (place < wordColumns ? words(text) : number(text)));
}

/** `97.4`, as the paper writes shares. */
export function percent(value: number | null): string {
  return value === null ? '–' : (value * 100).toFixed(1);
}

export function percentInterval(interval: Interval | null): string {
  return interval === null ? '' : ` (${percent(interval[0])}–${percent(interval[1])})`;
}

export function percentEstimate({ value, interval }: Estimate): string {
  return `${percent(value)}${value === null ? '' : percentInterval(interval)}`;
}

/** `+1.2 (−0.4–2.9)`, in points of a hundred. */
export function pointsEstimate({ value, interval }: Estimate): string {
  if (value === null) return '–';
  return `${signedPoints(value)}${interval === null ? '' : ` (${signedPoints(interval[0])} to ${signedPoints(interval[1])})`}`;
}

function signedPoints(value: number): string {
  const points = Math.abs(value * 100).toFixed(1);
  return `${points === '0.0' ? '±' : value < 0 ? '−' : '+'}${points}`;
}

/** A count as the mean over repeats: whole where it is. */
export function countOf(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** Which of several values is the best and which the next; none where there is nothing to choose between. */
export function ranking(values: readonly (number | null)[], better: 'higher' | 'lower' = 'higher'): (value: number | null) => Cell['emphasis'] {
  // What is told apart by the last bits of a mean alone is the same.
  const rounded = (value: number) => Math.round(value * 1e9);
  const sign = better === 'higher' ? -1 : 1;
  const [best, second] = [...new Set(values.flatMap((value) => (value === null ? [] : [rounded(value)])))].toSorted((a, b) => sign * (a - b));
  if (second === undefined) return () => undefined;
  return (value) => (value === null ? undefined : rounded(value) === best ? 'best' : rounded(value) === second ? 'second' : undefined);
}
