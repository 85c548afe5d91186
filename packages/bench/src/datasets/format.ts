/** One entry of a published file: a line of JSON, a row of a table, a member of a list. */
export type DatasetRow = Readonly<Record<string, unknown>>;

/**
 * An item in our own words, as a line of our own JSONL has it: `id`, `label`, `category`, `raters`, `trivial`, and
 * `text`, `image`, `image_description` |
 * `prompt`, `response`, `messages`, `model`, `risk`, `behaviour` | `claim`, `doc`, `doc_text`, `evidence_ids`.
 */
export type ItemFields = Readonly<Record<string, unknown>>;

export interface RowContext {
  /** The file's name without its folder. */
  file: string;
  /** What stands behind the colon of `--format NAME:OPTION`; null when nothing does. */
  option: string | null;
}

/** How one published benchmark is laid out. */
export interface DataFormat {
  name: string;
  /** One line. */
  description: string;
  /** Where the file comes from. */
  source: string;
  /** How a row looks. */
  columns: string;
  /** Whether a row is one of these, by what it holds. */
  recognises(row: DatasetRow, file: string): boolean;
  /** The items of a row: most have one, some several, and none where there is nothing to judge. */
  read(row: DatasetRow, context: RowContext): readonly ItemFields[];
  /** The rows of a file that is one JSON object; null when it is not laid out so. */
  rows?(document: DatasetRow): readonly DatasetRow[] | null;
  /** The rows of a file that is a ZIP archive, or what is wrong with one; absent where none is. */
  unzip?(file: string): AsyncIterable<unknown>;
}

/** The first of these columns that holds a text or a number, as a text. */
export function textIn(row: DatasetRow, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return undefined;
}

/** A number, also where the file writes it as a text. */
export function numberIn(row: DatasetRow, name: string): number | undefined {
  const text = textIn(row, name);
  return text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
}

/** Yes or no, also where the file writes `1`, `"0"`, `"True"` or `1.0`. */
export function flagIn(row: DatasetRow, name: string): boolean | undefined {
  const value = row[name];
  if (typeof value === 'boolean') return value;
  const text = textIn(row, name)?.trim().toLowerCase();
  if (text === 'true' || text === 'yes') return true;
  if (text === 'false' || text === 'no') return false;
  const number = text === undefined ? Number.NaN : Number(text);
  return number === 1 ? true : number === 0 ? false : undefined;
}

export function safety(unsafe: boolean | undefined): 'safe' | 'unsafe' | undefined {
  return unsafe === undefined ? undefined : unsafe ? 'unsafe' : 'safe';
}

/**
 * What a column of yes and no makes of an item; where it says neither, its own words, so that an unknown label is
 * told from an absent one.
 */
export function safetyIn(row: DatasetRow, name: string, meansUnsafe = true): string | undefined {
  const flag = flagIn(row, name);
  return flag === undefined ? textIn(row, name) : safety(flag === meansUnsafe);
}

export function has(row: DatasetRow, ...names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(row, name));
}

/** A list, also where a cell of a table holds it as JSON or as Python writes it. */
export function listIn(row: DatasetRow, name: string): readonly unknown[] | undefined {
  const value = row[name];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return undefined;
  try {
    const parsed: unknown = JSON.parse(value.trim());
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    const inside = value
      .trim()
      .replace(/^\[|\]$/g, '')
      .trim();
    return inside === '' ? [] : inside.split(/,\s*/).map((part) => part.replace(/^(['"])(.*)\1$/s, '$2'));
  }
}

export function isObject(value: unknown): value is DatasetRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
