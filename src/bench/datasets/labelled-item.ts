import { AgonError } from '../../errors.ts';
import { safetyLabel } from '../../runs/index.ts';

/** An item whose right label is known. */
export interface LabelledItem<Subject> {
  id?: string;
  unsafe: boolean;
  /** What is judged; or why it cannot be, which counts against whoever should have judged it. */
  subject: Subject | AgonError;
}

/** How a file calls what we read. */
export interface Naming {
  /** Our field names and what the file calls them: `{ text: 'comment', label: 'is_toxic' }`. */
  fields?: Readonly<Record<string, string>>;
  /** The file's labels and what they mean: `{ hateful: 'unsafe' }`. */
  labels?: Readonly<Record<string, 'safe' | 'unsafe'>>;
}

/** A parsed line: what every job reads of it, and a way to its other fields. */
export interface LabelledLine {
  id?: string;
  unsafe: boolean;
  /** By our own name; undefined when the item does not have it. */
  field(name: string): unknown;
}

/** Reads what every job needs of a line. `parts` names the fields that hold what is judged, for the hint. */
export function readLabelledLine(value: unknown, { fields, labels }: Naming, parts: string): LabelledLine {
  const broken = (message: string) =>
    new AgonError('broken-line', message, `An item has "label" (safe/unsafe, harmful/unharmful, 0/1, true/false) and ${parts}; --map and --map-label name them otherwise.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw broken('The line is not an object.');
  const item = value as Record<string, unknown>;
  const field = (name: string) => present(item[fields?.[name] ?? name]);
  const id = field('id');
  const label = field('label');
  if (label === undefined) throw broken('The item has no label.');
  const text = typeof label === 'string' || typeof label === 'number' || typeof label === 'boolean' ? String(label).trim() : JSON.stringify(label);
  const meaning = own(labels ?? {}, text) ?? safetyLabel(text);
  if (!meaning) throw broken(`The label ${JSON.stringify(text)} is not known.`);
  return { ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}), unsafe: meaning === 'unsafe', field };
}

/** Data may call its labels anything, `constructor` too. */
function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What `read` gives, or the error it would have thrown: a label counts even where its subject cannot be read. */
export function subjectOr<Subject>(read: () => Subject): Subject | AgonError {
  try {
    return read();
  } catch (error) {
    if (AgonError.is(error)) return error;
    throw error;
  }
}

/** Published sets write "None" and "" for what an item does not have. */
function present(value: unknown): unknown {
  const absent = value === null || (typeof value === 'string' && (value.trim() === '' || value.trim() === 'None'));
  return absent ? undefined : value;
}
