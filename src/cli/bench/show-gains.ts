import type { Gain, DebateGains } from '../../bench/index.ts';
import { fitLines, formatTable, type Row } from '../terminal/table.ts';
import { sanitize, style } from '../terminal/style.ts';
import { toOneLine } from '../../text/index.ts';

export interface ReceiptView {
  /** How many changed items of each kind are named. */
  named?: number;
  screen?: { isTTY?: boolean; columns?: number };
}

const metricNames: Record<Gain['metric'], string> = {
  f1: 'F1',
  accuracy: 'accuracy',
  balancedAccuracy: 'balanced accuracy',
};

/** What a debate added, for people: one column for what it is held against. */
export function renderGains(receipt: DebateGains, { named = 8, screen = process.stdout }: ReceiptView = {}): string[] {
  const columns = [
    ...(receipt.overOpening ? [{ against: 'its opening vote', gain: receipt.overOpening }] : []),
    ...(receipt.overControl ? [{ against: receipt.overControl.control, gain: receipt.overControl }] : []),
  ];
  const lines = [
    ...(columns.length === 0
      ? []
      : formatTable([
          ['over', ...columns.map(({ against }) => sanitize(against))],
          ...rowsOf(columns.map(({ gain }) => gain)),
        ])),
    ...(receipt.overOpening
      ? []
      : ['No seat spoke alone before the others were heard: there is no opening vote to hold the debate against.']),
    ...(receipt.withoutControl === null ? [] : [receipt.withoutControl]),
    ...columns.flatMap(({ against, gain }) => changedLines(against, gain, named)),
  ];
  return [
    style('bold', `What ${sanitize(receipt.debate)} added`),
    ...fitLines(
      lines.map((line) => `  ${line}`),
      screen,
    ),
  ];
}

function rowsOf(gains: readonly Gain[]): Row[] {
  const row = (name: string, cell: (gain: Gain) => string): Row => [name, ...gains.map(cell)];
  return [
    row(metricNames[gains[0]!.metric], ({ gain }) => points(gain)),
    row('accuracy', ({ accuracy }) => points(accuracy)),
    row('for the better', ({ better }) => items(better.length)),
    row('for the worse', ({ worse }) => items(worse.length)),
    row('wrong, otherwise', ({ otherwise }) => items(otherwise.length)),
    row('tokens by item', ({ extraTokens, estimated }) =>
      extraTokens === null ? 'unknown' : `${about(extraTokens, estimated)}${grouped(extraTokens)}`,
    ),
    row('dollars by item', ({ extraUsd, estimated }) =>
      extraUsd === null ? 'unknown' : `${about(extraUsd, estimated)}${sign(extraUsd)}$${Math.abs(extraUsd).toFixed(4)}`,
    ),
    row('compared', ({ items: count, leftOut }) =>
      leftOut === 0 ? items(count) : `${items(count)}, ${leftOut} left out`,
    ),
  ];
}

/** `+1.4 points (−0.3 to +3.0)`: hundredths of one. */
function points({ value, interval }: Gain['gain']): string {
  if (value === null) return '–';
  return `${hundredths(value)} points${interval ? ` (${interval.map(hundredths).join(' to ')})` : ''}`;
}

function hundredths(value: number): string {
  const size = Math.abs(100 * value).toFixed(1);
  return `${size === '0.0' ? '±' : sign(value)}${size}`;
}

function sign(value: number): string {
  return value < 0 ? '−' : '+';
}

function about(value: number, estimated: boolean): string {
  return estimated && value !== 0 ? 'about ' : '';
}

function grouped(value: number): string {
  return `${sign(value)}${Math.abs(Math.round(value)).toLocaleString('en')}`;
}

function items(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`;
}

function changedLines(against: string, { better, worse }: Gain, named: number): string[] {
  const line = (how: string, changes: Gain['better']): string[] => {
    if (changes.length === 0) return [];
    const shown = changes
      .slice(0, named)
      .map(
        ({ line: number, id, from, to }) =>
          `${id === null ? `line ${number}` : toOneLine(sanitize(id)).slice(0, 40)} ${sanitize(from)} → ${sanitize(to)}`,
      );
    const more = changes.length - shown.length;
    return [
      style('dim', `${how} over ${sanitize(against)}: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`),
    ];
  };
  return [...line('for the better', better), ...line('for the worse', worse)];
}
