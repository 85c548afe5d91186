import type { GridItem, GridOptions, ItemFilter, Ledger, RunItem, RunRow } from '@agonhq/ledger';
import { readPages } from '../../async-items.ts';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';

interface GridExport {
  run: RunRow;
  /** The runs of `options.others`, in their order. */
  beside: readonly RunRow[];
  filter: ItemFilter;
  options: Omit<GridOptions, 'limit' | 'after' | 'count'>;
  format: 'jsonl' | 'csv';
}

const pageSize = 500;

/** All that a grid shows, as lines of a file, a page in memory at a time. */
export async function* renderGridLines(
  ledger: Ledger,
  { run, beside, filter, options, format }: GridExport,
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield renderCsvRow(makeHeading(beside));
  const page = (after: string | null) => ledger.runs.pageItems(run.id, filter, { ...options, limit: pageSize, after });
  for await (const item of readPages(page))
    yield format === 'csv' ? renderCsvRow(makeCells(item)) : `${JSON.stringify(makeGridRecord(item))}\n`;
}

/** An item as others see it: without who worked on it. */
export function makeGridRecord(item: GridItem): object {
  const { position, key, expected, excerpt, state, sameAs, attempts, result, error, endedAt, others } = item;
  return {
    position,
    key,
    expected,
    excerpt,
    state,
    sameAs,
    attempts,
    result,
    error,
    endedAt: endedAt?.toISOString() ?? null,
    others: others.map((other) => other && { state: other.state, result: other.result, error: other.error }),
  };
}

const outcomeColumns = ['label', 'outcome', 'risk', 'escalate', 'cost_usd', 'latency_ms', 'case', 'error'] as const;

function makeHeading(beside: readonly RunRow[]): string[] {
  return [
    'line',
    'key',
    'content',
    'expected',
    'state',
    ...outcomeColumns,
    ...beside.flatMap(({ id, name }) => outcomeColumns.map((column) => renderTextCell(`${name ?? id}: ${column}`))),
  ];
}

/** What an input says about itself is data to a spreadsheet, never a formula. */
function makeCells(item: GridItem): string[] {
  const { position, key, excerpt, expected, state, others } = item;
  return [
    String(position),
    renderTextCell(key),
    renderTextCell(excerpt ?? ''),
    renderTextCell(expected ?? ''),
    state,
    ...[item, ...others].flatMap((outcome) => makeOutcomeCells(outcome, expected)),
  ];
}

function makeOutcomeCells(outcome: RunItem | null, expected: string | null): string[] {
  const { result = null, error = null } = outcome ?? {};
  const usage = result?.usage;
  const cells: Record<(typeof outcomeColumns)[number], string> = {
    label: renderTextCell(result?.label ?? ''),
    outcome: !result || expected === null ? '' : result.label === expected ? 'right' : 'wrong',
    risk: String(result?.risk ?? ''),
    escalate: result ? String(result.escalate) : '',
    cost_usd: String(usage?.costUsd ?? ''),
    latency_ms: String(usage?.latencyMs ?? ''),
    case: renderTextCell(result?.case ?? ''),
    error: renderTextCell(error === null ? '' : `${error.code}: ${error.message}`),
  };
  return outcomeColumns.map((column) => cells[column]);
}
