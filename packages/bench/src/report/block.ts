import type { Estimate, Interval, ReliabilityBin } from '@agonhq/engine/statistics';
import type { SetFigures } from '../figures/set-figures.ts';
import type { BenchResult } from '../result.ts';

/** A cell of a table. */
export interface BlockCell {
  text: string;
  /**
   * Names come from data and settings, and are never read as markup; a title is one in plain words. Titles, leads and
   * notes hold none of them.
   */
  name?: boolean | 'title';
  /** To the right. */
  number?: boolean;
  /** `best` and `second` as the paper marks them; `breach` for what reaches a threshold. */
  emphasis?: 'best' | 'second' | 'breach';
  /** What belongs to the text in smaller print: its interval. */
  detail?: string;
  /** † or ‡, explained below the table. */
  mark?: string;
  /** What its column is sorted by, where that is not the text; null is last. */
  sort?: number | null;
  /** How dark its ground is, from 0 to 1. */
  shade?: number;
  /** Items of the data after the text; a page leads to those that it shows. */
  items?: readonly ItemName[];
}

export interface ItemName {
  line: number;
  name: string;
  /** What is said of it. */
  note?: string;
}

export interface BlockTable {
  head: readonly BlockCell[];
  rows: readonly (readonly BlockCell[])[];
}

/** A bar with its interval, in a group of bars that are compared. */
export interface Bar {
  name: string;
  tone: 'debate' | 'judge' | 'other';
  estimate: Estimate;
  /** † or ‡, as in the table. */
  mark?: string;
}

export type Chart =
  | { kind: 'bars'; title: string; groups: readonly { label: string; bars: readonly Bar[] }[] }
  | {
      kind: 'lines';
      title: string;
      columns: readonly string[];
      series: readonly { name: string; points: readonly (Estimate | null)[] }[];
    }
  | CurvesChart
  | ReliabilityChart
  | ScatterChart
  | TrajectoryChart;

/** Curves within the unit square, one for each system. */
export interface CurvesChart {
  kind: 'curves';
  title: string;
  across: string;
  up: string;
  /** What guessing gives: the diagonal, or a level. */
  chance: 'diagonal' | number;
  series: readonly { name: string; note: string; points: readonly { x: number; y: number }[] }[];
}

export interface ReliabilityChart {
  kind: 'reliability';
  title: string;
  name: string;
  bins: readonly ReliabilityBin[];
}

/** Quality over what it costs. */
export interface ScatterChart {
  kind: 'scatter';
  title: string;
  across: string;
  up: string;
  /** How a cost is written. */
  written: (cost: number) => string;
  points: readonly { name: string; cost: number; quality: Estimate }[];
}

/** Scores over the rounds, a panel for each right label. */
export interface TrajectoryChart {
  kind: 'trajectory';
  title: string;
  columns: readonly string[];
  panels: readonly {
    label: string;
    items: number;
    series: readonly { name: string; points: readonly (Spread | null)[] }[];
  }[];
}

/** A mean with the middle half of the values around it. */
export interface Spread {
  mean: number;
  low: number;
  high: number;
}

/** One table or figure of the report: what it shows, or what would be needed to show it. */
export interface BenchBlock {
  title: string;
  lead: string;
  table?: BlockTable;
  /** Whether a page shows the table on demand only: where a chart says the same. */
  folded?: boolean;
  chart?: Chart;
  charts?: readonly Chart[];
  /** Lines below it. */
  notes?: readonly string[];
  missing?: string;
}

/** The head of a table: titles above columns of words, then above columns of numbers, divided by `|`. */
export function tableHead(words: string, numbers = ''): BlockCell[] {
  const split = (titles: string) => (titles === '' ? [] : titles.split(' | '));
  return [...split(words).map(cell.text), ...split(numbers).map((title) => cell.number(title))];
}

/** `97.4`, as the paper writes shares. */
export function writePercent(value: number | null): string {
  return value === null ? '–' : (value * 100).toFixed(1);
}

export function formatPercentInterval(interval: Interval | null): string {
  return interval === null ? '' : ` (${writePercent(interval[0])}–${writePercent(interval[1])})`;
}

export function formatPercentEstimate({ value, interval }: Estimate): string {
  return `${writePercent(value)}${value === null ? '' : formatPercentInterval(interval)}`;
}

/** `+1.2 (−0.4–2.9)`, in points of a hundred. */
export function formatPointsEstimate({ value, interval }: Estimate): string {
  if (value === null) return '–';
  const range = interval === null ? '' : ` (${interval.map(formatSignedPoints).join(' to ')})`;
  return `${formatSignedPoints(value)}${range}`;
}

export function formatSignedPoints(value: number): string {
  const points = Math.abs(value * 100).toFixed(1);
  return `${points === '0.0' ? '±' : value < 0 ? '−' : '+'}${points}`;
}

/** Cells of every kind. */
export const cell = {
  text: (text: string): BlockCell => ({ text }),
  name: (text: string): BlockCell => ({ text, name: true }),
  /** What people call a thing. */
  title: (text: string): BlockCell => ({ text, name: 'title' }),
  /** A name above a column of numbers. */
  column: (text: string): BlockCell => ({ text, name: true, number: true }),
  number: (text: string, emphasis?: BlockCell['emphasis']): BlockCell => ({
    text,
    number: true,
    ...(emphasis && { emphasis }),
  }),
  /** A value, and its interval in smaller print. */
  estimate(
    { value, interval }: Estimate,
    {
      emphasis,
      mark,
      write = writePercent,
    }: Pick<BlockCell, 'emphasis' | 'mark'> & { write?: (value: number) => string } = {},
  ): BlockCell {
    return {
      ...cell.amount(value, write),
      ...(value !== null && interval && { detail: `${write(interval[0])}–${write(interval[1])}` }),
      ...(emphasis && { emphasis }),
      ...(mark && value !== null && { mark }),
    };
  },
  /** A difference in points. */
  points({ value, interval }: Estimate): BlockCell {
    const [low, high] = (interval ?? []).map(formatSignedPoints);
    return {
      ...cell.amount(value, formatSignedPoints),
      ...(value !== null && interval && { detail: `${low} to ${high}` }),
    };
  },
  /** A plain number; null where there is nothing to measure. */
  amount(value: number | null, write: (value: number) => string = formatMean): BlockCell {
    return { text: value === null ? '–' : write(value), number: true, sort: sortedBy(value) };
  },
};

function sortedBy(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(9));
}

/** A count as the mean over repeats: whole where it is. */
export function formatMean(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** Which of several values is the best and which the next; none where there is nothing to choose between. */
export function rankValues(
  values: readonly (number | null)[],
  better: 'higher' | 'lower' = 'higher',
): (value: number | null) => BlockCell['emphasis'] {
  // What is told apart by the last bits of a mean alone is the same.
  const rounded = (value: number) => Math.round(value * 1e9);
  const sign = better === 'higher' ? -1 : 1;
  const [best, second] = [...new Set(values.flatMap((value) => (value === null ? [] : [rounded(value)])))].toSorted(
    (a, b) => sign * (a - b),
  );
  if (second === undefined) return () => undefined;
  return (value) =>
    value === null ? undefined : rounded(value) === best ? 'best' : rounded(value) === second ? 'second' : undefined;
}

/** How tables present a job. */
export interface JobPresentation {
  /** Its name for people. */
  title: string;
  /** What tables lead with where nothing was compared. */
  leadingMetric: 'f1' | 'accuracy';
  /** The title of a table of accuracy over all sets, beside the leading metric; null for none. */
  accuracyTitle: string | null;
}

/** A set of data with all that was measured on it: what every report of the bench is made of. */
export interface MeasuredSet {
  job: JobPresentation;
  result: BenchResult;
  figures: SetFigures;
  /** Tables of the job itself: those of the evaluation paper. */
  own: readonly BenchBlock[];
}
