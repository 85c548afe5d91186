import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemState, Ledger, RunItem, StoredVerdict } from '@agonhq/ledger';
import type { ResultRecord } from './result-file.ts';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';

export interface ResultExportOptions {
  /** The order of the input, or the one in which they ended. */
  order?: 'input' | 'as-done';
  only?: 'done' | 'failed';
}

/** A result as `agon runs export` writes it. */
export interface ExportedRecord extends ResultRecord {
  /** The line that has the same content and was judged for both. */
  duplicateOf?: number;
  /** Present where the first tier of a cascade decided alone. */
  decidedBy?: 'guard';
}

/** An item that has ended, with its case. */
export interface EndedItemOnRecord {
  item: RunItem;
  /** Undefined when there is no verdict, or when its case was taken away since. */
  case?: Pick<StoredVerdict, 'answer'> & { rule: string | null; categories: readonly string[] } & Partial<
      Pick<StoredVerdict, 'action' | 'severity'>
    >;
}

const states: Record<'done' | 'failed' | 'all', readonly ItemState[]> = {
  done: ['done', 'same'],
  failed: ['failed', 'same'],
  all: ['done', 'failed', 'same'],
};

/** Few at a time: an answer with its whole trial may be large. */
const pageSize = 100;

/** The items of a run that have ended, with their cases, a page in memory at a time. */
export async function* readEndedItems(
  ledger: Ledger,
  run: string,
  { order = 'input', only }: ResultExportOptions = {},
): AsyncGenerator<EndedItemOnRecord, void, void> {
  const wanted = ({ result, error }: RunItem) =>
    only === 'failed' ? error !== null : only === 'done' ? result !== null : result !== null || error !== null;
  for await (const page of readItemPages(ledger, run, { order, states: states[only ?? 'all'], limit: pageSize })) {
    yield* await attachCases(ledger, page.filter(wanted));
  }
}

/** Items with the cases that their results are. */
export async function attachCases(ledger: Ledger, items: readonly RunItem[]): Promise<EndedItemOnRecord[]> {
  const ids = [...new Set(items.flatMap(({ result }) => (result ? [result.case] : [])))];
  const cases = ids.length > 0 ? await ledger.cases.findVerdicts(ids) : new Map<string, StoredVerdict>();
  return items.map((item) => ({ item, case: item.result ? cases.get(item.result.case) : undefined }));
}

/**
 * The results of a run as lines of a file: JSON with whole answers, or CSV with the verdicts and what they are about.
 *
 * @example for await (const line of exportLines(ledger, run.id, { format: 'csv' })) process.stdout.write(line)
 */
export async function* renderExportLines(
  ledger: Ledger,
  run: string,
  { format = 'jsonl', ...options }: ResultExportOptions & { format?: 'jsonl' | 'csv' } = {},
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield csvHeading;
  for await (const ended of readEndedItems(ledger, run, options))
    yield format === 'csv' ? renderResultCsv(ended) : `${JSON.stringify(createExportRecord(ended))}\n`;
}

/** What an item came to, as a line of results. */
export function createExportRecord({ item, case: record }: EndedItemOnRecord): ExportedRecord {
  const { position, key, sameAs, result, error } = item;
  const place = { line: position, key, ...(sameAs === null ? {} : { duplicateOf: sameAs }) };
  if (!result) return { ...place, error: error! };
  if (!record?.answer) return { ...place, error: gone(result.case, result.label) };
  return { ...place, ...(result.by === 'guard' ? { decidedBy: 'guard' as const } : {}), result: record.answer };
}

function gone(id: string, label: string): NonNullable<ResultRecord['error']> {
  const { code, message, hint } = new AgonError(
    'forgotten-case',
    `What case ${id} judged was taken away; its verdict was ${label}.`,
    {
      library: 'The label is kept: an export as CSV shows it.',
      cli: 'The label is kept: --format csv shows it.',
      api: 'The label is kept: format=csv shows it.',
    },
  );
  return { code, message, hint };
}

interface PageOptions {
  order?: 'input' | 'as-done';
  states?: readonly ItemState[];
  /** Items in memory at a time. */
  limit?: number;
}

/** The items of a run, page by page, however many there are. */
export async function* readItemPages(
  ledger: Ledger,
  run: string,
  { order = 'input', states, limit = 500 }: PageOptions = {},
): AsyncGenerator<readonly RunItem[], void, void> {
  let after: RunItem | null = null;
  for (;;) {
    const page = await ledger.runs.listItems(run, { order, after, limit, ...(states ? { states } : {}) });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1)!;
  }
}

const columns = [
  'line',
  'key',
  'author',
  'text',
  'label',
  'risk',
  'escalate',
  'rule',
  'categories',
  'action',
  'severity',
  'decided_by',
  'case',
  'error',
] as const;

/** What an answer says of what was judged: its own texts, without what tools found in it, and who wrote it. */
const judgedSchema = z.object({
  sources: z.array(z.object({ text: z.string(), tool: z.string().optional() })).optional(),
  subject: z.object({ context: z.object({ author: z.string().optional() }).optional() }).optional(),
});

const csvHeading = `${columns.join(',')}\n`;

/** One row of verdicts. What an input says about itself is data to a spreadsheet, never a formula. */
function renderResultCsv({ item, case: record }: EndedItemOnRecord): string {
  const { position, key, result, error } = item;
  const { sources = [], subject } = judgedSchema.safeParse(record?.answer).data ?? {};
  const text = sources.flatMap((source) => (source.tool === undefined ? [source.text] : [])).join('\n\n');
  const cells: Record<(typeof columns)[number], string> = {
    line: String(position),
    key: renderTextCell(key),
    author: renderTextCell(subject?.context?.author ?? ''),
    text: renderTextCell(text),
    label: renderTextCell(result?.label ?? ''),
    risk: String(result?.risk ?? ''),
    escalate: result === null ? '' : String(result.escalate),
    rule: renderTextCell(record?.rule ?? ''),
    categories: renderTextCell(record?.categories.join(' ') ?? ''),
    action: renderTextCell(record?.action ?? ''),
    severity: renderTextCell(record?.severity ?? ''),
    decided_by: result?.by ?? '',
    case: renderTextCell(result?.case ?? ''),
    error: renderTextCell(error === null ? '' : `${error.code}: ${error.message}`),
  };
  return renderCsvRow(columns.map((column) => cells[column]));
}
