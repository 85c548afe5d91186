import type { AnnotationItem, AnnotationProject, Ledger } from '../../ledger/index.ts';
import { renderCsvRow, renderTextCell } from '../../text/index.ts';
import { readItemContent, showVote } from './item-views.ts';

export interface ExportOptions {
  format: 'jsonl' | 'csv';
  /** `settled`: only what has a label. */
  only: 'all' | 'settled';
}

const pageSize = 200;

/** The items of a project with what they came to, a page in memory at a time. */
export async function* exportAnnotations(
  { annotations }: Pick<Ledger, 'annotations'>,
  { id }: AnnotationProject,
  { format, only }: ExportOptions,
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield renderCsvRow(columns);
  const lineOf = format === 'csv' ? renderCsvLine : renderJsonLine;
  for (let after = -1; ;) {
    const items = await annotations.listItems(id, {
      limit: pageSize,
      after,
      ...(only === 'settled' ? { states: ['agreed', 'adjudicated'] } : {}),
    });
    for (const item of items) yield lineOf(item);
    if (items.length < pageSize) return;
    after = items.at(-1)!.position;
  }
}

/**
 * What runs and benches read (`raters` are the soft labels of a bench), and how it came about. Votes on what is open
 * or disputed do not decide anything yet; while it is open, who may still vote learns neither them nor the label that
 * the dataset came with.
 */
function renderJsonLine({ key, content, images, label, state, votes, adjudication }: AnnotationItem): string {
  const { given, ...shown } = readItemContent(content);
  const names = images.map(({ name }) => name);
  return `${JSON.stringify({
    id: key,
    ...(label === null ? {} : { label, raters: votes.map((vote) => vote.label) }),
    ...shown,
    ...(names.length === 0 ? {} : { image: names.length === 1 ? names[0] : names }),
    annotation: {
      state,
      agreement: state === 'open' ? null : shareOfEqualPairs(votes),
      ...(given === undefined || state === 'open' ? {} : { given }),
      votes: state === 'open' ? null : votes.map(showVote),
      adjudication: adjudication && showVote(adjudication),
    },
  })}\n`;
}

const columns = [
  'id',
  'label',
  'state',
  'agreement',
  'votes',
  'reasons',
  'adjudicated_by',
  'adjudication_reason',
  'given_label',
  'text',
  'image',
  'prompt',
  'response',
] as const;

/** For spreadsheets. What people and datasets say is data to them, never a formula. */
function renderCsvLine({ key, content, images, label, state, votes, adjudication }: AnnotationItem): string {
  const { text = '', prompt = '', response = '', given = '' } = readItemContent(content);
  const cast = state === 'open' ? [] : votes;
  const agreement = state === 'open' ? null : shareOfEqualPairs(votes);
  const cells: Record<(typeof columns)[number], string> = {
    id: key,
    label: label ?? '',
    state,
    agreement: agreement === null ? '' : String(agreement),
    votes: cast.map((vote) => `${vote.by}: ${vote.label}`).join('; '),
    reasons: cast.flatMap(({ by, why }) => (why === null ? [] : [`${by}: ${why}`])).join('\n'),
    adjudicated_by: adjudication?.by ?? '',
    adjudication_reason: adjudication?.why ?? '',
    given_label: state === 'open' ? '' : given,
    text,
    image: images.map(({ name }) => name).join(' '),
    prompt,
    response,
  };
  return renderCsvRow(columns.map((column) => renderTextCell(cells[column])));
}

/** The share of pairs of voters who said the same. */
function shareOfEqualPairs(votes: AnnotationItem['votes']): number | null {
  const pairs = votes.flatMap((one, index) => votes.slice(index + 1).map((other) => one.label === other.label));
  return pairs.length === 0 ? null : pairs.filter(Boolean).length / pairs.length;
}
