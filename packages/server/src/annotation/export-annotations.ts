import type { AnnotationItem, AnnotationProject, Ledger, Marking } from '@agonhq/ledger';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';
import { readItemContent } from './item-content.ts';
import { showVote } from './item-views.ts';
import { showFinding } from './read-finding.ts';
import { settleFinding } from './settle-finding.ts';

export interface AnnotationExportOptions {
  format: 'jsonl' | 'csv';
  /** `settled`: only what has a label. */
  only: 'all' | 'settled';
}

const pageSize = 200;

/** The items of a project with what they came to, a page in memory at a time. */
export async function* exportDataset(
  { annotations }: Pick<Ledger, 'annotations'>,
  { id, marking }: AnnotationProject,
  { format, only }: AnnotationExportOptions,
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield renderCsvRow([...columns, ...(marking ? findingColumns : [])]);
  const lineOf = format === 'csv' ? renderCsvLine : renderJsonLine;
  for (let after = -1; ;) {
    const items = await annotations.listItems(id, {
      limit: pageSize,
      after,
      ...(only === 'settled' ? { states: ['agreed', 'adjudicated'] } : {}),
    });
    for (const item of items) yield lineOf(item, marking);
    if (items.length < pageSize) return;
    after = items.at(-1)!.position;
  }
}

/**
 * What runs and benches read (`raters` are the soft labels of a bench), and how it came about. Votes on what is open
 * or disputed do not decide anything yet; while it is open, who may still vote learns neither them nor the label that
 * the dataset came with.
 */
function renderJsonLine(item: AnnotationItem, marking: Marking | null): string {
  const { key, content, images, label, state, votes, adjudication } = item;
  const { given, ...shown } = readItemContent(content);
  const names = images.map(({ name }) => name);
  return `${JSON.stringify({
    id: key,
    ...(label === null ? {} : { label, raters: votes.map((vote) => vote.label) }),
    ...listFindings(item, marking),
    ...shown,
    ...(names.length === 0 ? {} : { image: names.length === 1 ? names[0] : names }),
    annotation: {
      state,
      agreement: state === 'open' ? null : shareOfEqualPairs(votes),
      ...(given === undefined || state === 'open' ? {} : { given }),
      votes: state === 'open' ? null : votes.map((vote) => showVote(vote, item)),
      adjudication: adjudication && showVote(adjudication, item),
    },
  })}\n`;
}

const findingColumns = ['tags', 'clauses', 'severity', 'spans', 'regions'] as const;

/** What a bench reads beside the label: clauses where the tags are a policy's, and where they show. */
function listFindings(
  item: AnnotationItem,
  marking: Marking | null,
): Partial<Record<(typeof findingColumns)[number], unknown>> {
  const finding = showFinding(settleFinding(item), item);
  if (finding === null) return {};
  const { tags, severity, marks } = finding;
  const nameOf = (hash: string) => item.images.find((image) => image.hash === hash)!.name;
  return {
    tags,
    ...(marking?.policy ? { clauses: tags } : {}),
    ...(severity === null ? {} : { severity }),
    spans: marks.flatMap((mark) => {
      if (mark.kind !== 'span') return [];
      const { kind: _, ...span } = mark;
      return [span];
    }),
    regions: marks.flatMap((mark) => {
      if (mark.kind !== 'region') return [];
      const { kind: _, image, ...place } = mark;
      return [{ image: nameOf(image), ...place }];
    }),
  };
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
function renderCsvLine(item: AnnotationItem, marking: Marking | null): string {
  const { key, content, images, label, state, votes, adjudication } = item;
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
  const found = listFindings(item, marking);
  const more = findingColumns.map((column) => {
    const value = found[column];
    return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  });
  return renderCsvRow([...columns.map((column) => cells[column]), ...(marking ? more : [])].map(renderTextCell));
}

/** The share of pairs of voters who said the same. */
function shareOfEqualPairs(votes: AnnotationItem['votes']): number | null {
  const pairs = votes.flatMap((one, index) => votes.slice(index + 1).map((other) => one.label === other.label));
  return pairs.length === 0 ? null : pairs.filter(Boolean).length / pairs.length;
}
