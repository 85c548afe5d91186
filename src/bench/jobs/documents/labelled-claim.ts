import { AgonError } from '../../../errors.ts';
import {
  categoryOf,
  fieldReader,
  readNotes,
  type ItemReading,
  type LabelledItem,
} from '../../datasets/labelled-item.ts';

export const claimClasses = ['entailed', 'refuted', 'neutral'] as const;
/** What is right of a claim: the document says so, says otherwise, or does not say. */
export type ClaimClass = (typeof claimClasses)[number];

/**
 * What a claim is held against: a file, an entry of one (`contracts.json#17`), or the text itself. With `others`, the
 * first file that there is.
 */
export type ClaimSource = { path: string; entry: string | null; others?: readonly string[] } | { text: string };

/** A claim whose right label is known. */
export interface LabelledClaim extends LabelledItem {
  claim: string;
  label: ClaimClass;
  source: ClaimSource;
  /** The numbers of the document's parts that decide, as the document counts them; null where the data does not say. */
  evidence: readonly number[] | null;
}

const knownLabels: ReadonlyMap<string, ClaimClass> = new Map([
  ...['entailed', 'entailment', 'consistent', 'supported', 'true', '1'].map((word) => [word, 'entailed'] as const),
  ...['refuted', 'contradiction', 'contradicted', 'inconsistent', 'false', '0'].map(
    (word) => [word, 'refuted'] as const,
  ),
  ...['neutral', 'notmentioned', 'unsupported'].map((word) => [word, 'neutral'] as const),
]);

const hint =
  'An item has "claim", "label" (entailed/refuted/neutral, consistent/inconsistent, 1/0) and "doc" or "doc_text"; ' +
  '--map and --map-label name them otherwise.';

/** Reads one line of a dataset of documents. Paths are relative to where its reader says. */
export function readLabelledClaim(value: unknown, { fields, labels, by = 'category' }: ItemReading): LabelledClaim {
  const field = fieldReader(value, fields, hint);
  const broken = (message: string) => new AgonError('broken-line', message, hint);
  const claim = field('claim');
  if (typeof claim !== 'string') throw broken('The item has no claim.');
  const notes = readNotes(field, {
    labels,
    known: (text) => knownLabels.get(text.toLowerCase().replaceAll(/[\s_-]/gu, '')),
    hint,
  });
  const source = sourceOf(field('doc_text'), field('doc'));
  if (!source) throw broken('The item has no document.');
  return {
    ...notes,
    category: categoryOf(field(by)),
    modality: 'claim',
    claim,
    source,
    evidence: numbersIn(field('evidence_ids')),
  };
}

function sourceOf(text: unknown, doc: unknown): ClaimSource | null {
  if (typeof text === 'string') return { text };
  if (typeof doc === 'string') return fileOf(doc);
  if (!Array.isArray(doc) || doc.length === 0 || !doc.every((place): place is string => typeof place === 'string'))
    return null;
  const [path, ...others] = doc as [string, ...string[]];
  return { path, entry: null, others };
}

function fileOf(doc: string): ClaimSource {
  const at = doc.lastIndexOf('#');
  return at < 0 ? { path: doc, entry: null } : { path: doc.slice(0, at), entry: doc.slice(at + 1) };
}

function numbersIn(value: unknown): readonly number[] | null {
  const list: unknown = typeof value === 'string' && /^\s*\[[\d\s,]*\]\s*$/.test(value) ? JSON.parse(value) : value;
  return Array.isArray(list) && list.every((one): one is number => Number.isInteger(one)) ? list : null;
}
