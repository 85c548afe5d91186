import type { Gain, DebateGains } from '@agonhq/bench';
import { toOneLine } from '@agonhq/engine/text';
import { printCount } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { fitLines, formatTable, type PrintedRow } from '../terminal/table.ts';

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

/** What a debate adds, with one column for each baseline. */
export function renderGains(receipt: DebateGains, { named = 8, screen = process.stdout }: ReceiptView = {}): string[] {
  const columns = [
    ...(receipt.overOpening ? [{ against: 'its opening vote', gain: receipt.overOpening }] : []),
    ...(receipt.overControl ? [{ against: receipt.overControl.control, gain: receipt.overControl }] : []),
  ];
  const lines = [
    ...(columns.length === 0
      ? []
      : formatTable([
          ['compared with', ...columns.map(({ against }) => sanitize(against))],
          ...listRows(columns.map(({ gain }) => gain)),
        ])),
    ...(receipt.overOpening ? [] : ['No seat spoke alone first, so there is no opening vote to compare with.']),
    ...(receipt.withoutControl === null ? [] : [receipt.withoutControl]),
    ...columns.flatMap(({ against, gain }) => renderChanges(against, gain, named)),
  ];
  return [
    style('bold', `What ${sanitize(receipt.debate)} adds`),
    ...fitLines(
      lines.map((line) => `  ${line}`),
      screen,
    ),
  ];
}

function listRows(gains: readonly Gain[]): PrintedRow[] {
  const row = (name: string, cell: (gain: Gain) => string): PrintedRow => [name, ...gains.map(cell)];
  return [
    row(metricNames[gains[0]!.metric], ({ gain }) => formatPoints(gain)),
    row('accuracy', ({ accuracy }) => formatPoints(accuracy)),
    row('corrected', ({ better }) => printCount(better.length, 'item')),
    row('broken', ({ worse }) => printCount(worse.length, 'item')),
    row('wrong in another way', ({ otherwise }) => printCount(otherwise.length, 'item')),
    row('tokens per item', ({ extraTokens, estimated }) =>
      extraTokens === null ? 'unknown' : `${markEstimate(extraTokens, estimated)}${formatGrouped(extraTokens)}`,
    ),
    row('dollars per item', ({ extraUsd, estimated }) =>
      extraUsd === null
        ? 'unknown'
        : `${markEstimate(extraUsd, estimated)}${formatSign(extraUsd)}$${Math.abs(extraUsd).toFixed(4)}`,
    ),
    row('compared', ({ items: count, leftOut }) =>
      leftOut === 0 ? printCount(count, 'item') : `${printCount(count, 'item')}, ${leftOut} left out`,
    ),
  ];
}

/** `+1.4 points (−0.3 to +3.0)`: formatHundredths of one. */
function formatPoints({ value, interval }: Gain['gain']): string {
  if (value === null) return '–';
  return `${formatHundredths(value)} points${interval ? ` (${interval.map(formatHundredths).join(' to ')})` : ''}`;
}

function formatHundredths(value: number): string {
  const size = Math.abs(100 * value).toFixed(1);
  return `${size === '0.0' ? '±' : formatSign(value)}${size}`;
}

function formatSign(value: number): string {
  return value < 0 ? '−' : '+';
}

function markEstimate(value: number, estimated: boolean): string {
  return estimated && value !== 0 ? 'about ' : '';
}

function formatGrouped(value: number): string {
  return `${formatSign(value)}${Math.abs(Math.round(value)).toLocaleString('en')}`;
}

function renderChanges(against: string, { better, worse }: Gain, named: number): string[] {
  const line = (how: string, changes: Gain['better']): string[] => {
    if (changes.length === 0) return [];
    const shown = changes.slice(0, named).map(({ line: number, id, from, to }) => {
      const name = id === null ? `line ${number}` : toOneLine(sanitize(id)).slice(0, 40);
      return `${name} ${sanitize(from)} → ${sanitize(to)}`;
    });
    const more = changes.length - shown.length;
    return [
      style(
        'dim',
        `${how} compared with ${sanitize(against)}: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
      ),
    ];
  };
  return [...line('corrected', better), ...line('broken', worse)];
}
