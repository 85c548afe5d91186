import { AgonError } from '../../errors.ts';

export const claimClasses = ['entailed', 'refuted', 'neutral'] as const;
/** What is right of a claim: the document says so, says otherwise, or does not say. */
export type ClaimClass = (typeof claimClasses)[number];

/** What a claim is held against: a file, an entry of one (`contracts.json#17`), or the text itself. */
export type ClaimSource = { path: string; entry: string | null } | { text: string };

/** A claim whose right label is known. */
export interface LabelledClaim {
  id?: string;
  claim: string;
  label: ClaimClass;
  source: ClaimSource;
  /** The numbers of the document's parts that decide, as the document counts them; null where the data does not say. */
  evidence: readonly number[] | null;
}

/** How a file calls what we read. */
export interface ClaimNaming {
  fields?: Readonly<Record<string, string>>;
  labels?: Readonly<Record<string, ClaimClass>>;
}

const knownLabels: Record<string, ClaimClass> = {
  entailed: 'entailed', entailment: 'entailed', consistent: 'entailed', supported: 'entailed', true: 'entailed', '1': 'entailed',
  refuted: 'refuted', contradiction: 'refuted', contradicted: 'refuted', inconsistent: 'refuted', false: 'refuted', '0': 'refuted',
  neutral: 'neutral', notmentioned: 'neutral', unsupported: 'neutral',
};

/** Reads one line of a benchmark of documents. Paths are relative to where its reader says. */
export function readLabelledClaim(value: unknown, { fields, labels }: ClaimNaming): LabelledClaim {
  const broken = (message: string) =>
    new AgonError('broken-line', message, 'An item has "claim", "label" (entailed/refuted/neutral, consistent/inconsistent, 1/0) and "doc" or "doc_text"; --map and --map-label name them otherwise.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw broken('The line is not an object.');
  const item = value as Record<string, unknown>;
  const field = (name: string) => item[fields?.[name] ?? name];
  const [id, claim, label, doc, text, evidence] = ['id', 'claim', 'label', 'doc', 'doc_text', 'evidence_ids'].map(field);
  if (typeof claim !== 'string' || claim.trim() === '') throw broken('The item has no claim.');
  if (typeof label !== 'string' && typeof label !== 'number' && typeof label !== 'boolean') throw broken('The item has no label.');
  const meaning = own(labels ?? {}, String(label)) ?? own(knownLabels, String(label).trim().toLowerCase().replaceAll(/[\s_-]/gu, ''));
  if (!meaning) throw broken(`The label ${JSON.stringify(String(label))} is not known.`);
  const source = typeof text === 'string' && text.trim() !== '' ? { text } : typeof doc === 'string' && doc.trim() !== '' ? fileOf(doc) : null;
  if (!source) throw broken('The item has no document.');
  const ids = Array.isArray(evidence) && evidence.every((one): one is number => Number.isInteger(one)) ? evidence : null;
  return { ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}), claim, label: meaning, source, evidence: ids };
}

function fileOf(doc: string): ClaimSource {
  const at = doc.lastIndexOf('#');
  return at < 0 ? { path: doc, entry: null } : { path: doc.slice(0, at), entry: doc.slice(at + 1) };
}

/** Data may call its labels anything, `constructor` too. */
function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
