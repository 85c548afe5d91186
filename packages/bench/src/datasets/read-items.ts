import { findItemId, createUniqueKeys, type InputValue, type ItemLine } from '@agonhq/engine/items';
import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf, sha256 } from '@agonhq/engine/hash';
import { isObject, type DataFormat, type ItemFields, type DatasetRow } from './format.ts';
import { agonFormat, assertFormatOf, genericFormat, findFormat, recognizeFormat } from './formats.ts';
import { readRows } from './read-rows.ts';

export interface ItemsReading<Item> {
  /** Reads an item from our own fields; throws an AgonError when it cannot. */
  read(fields: unknown): Item;
  /** A line as it should be, for broken ones. */
  example: string;
  /** `NAME` or `NAME:OPTION`; what the file holds decides when absent. */
  format?: string;
  /** Refuses formats of other jobs. */
  job?: string;
  /** What the file calls our fields. */
  fields?: Readonly<Record<string, string>>;
  /** The column of the table of categories, where it is not the format's own. */
  by?: string;
  /** Keys that never come twice need a memory of all keys: a check of a large file does without. */
  unique?: boolean;
}

export interface ItemsIn<Item> {
  /** Known when the first item is there. */
  format(): DataFormat;
  lines: AsyncGenerator<ItemLine<Item> & { size: number }, void, void>;
}

/** The items of a file of any known format, one at a time. What cannot be read is an error in its place. */
export function readItems<Item extends { id?: string }>(
  file: string,
  { read, example, format: asked, job, fields, by, unique = true }: ItemsReading<Item>,
): ItemsIn<Item> {
  const name = path.basename(file);
  const named = asked === undefined ? null : findFormat(asked);
  if (named && job) assertFormatOf(named.format, job, name);
  let format: DataFormat | null = named?.format ?? (fields && Object.keys(fields).length > 0 ? genericFormat : null);
  const context = { file: name, option: named?.option ?? null };
  const keyed = unique ? createUniqueKeys() : (key: string) => key;

  async function* lines(): AsyncGenerator<ItemLine<Item> & { size: number }, void, void> {
    const { values, layout } = await readRows(file, { example, ...(format ? { asked: format } : {}) });
    for await (const found of values) {
      const value = 'value' in found ? withoutMarks(found.value) : undefined;
      if (format === null && isObject(value)) {
        format = layout ?? recognizeFormat(value, name);
        if (job) assertFormatOf(format, job, name);
      }
      yield* itemsOf(found, value);
    }
    format ??= agonFormat;
  }

  function* itemsOf(found: InputValue, value: unknown): Generator<ItemLine<Item> & { size: number }, void, void> {
    const place = { line: found.line, size: typeof found.written === 'string' ? found.written.length : 200 };
    const written = () => (unique ? keyOf(found) : `line-${found.line}`);
    if ('error' in found) return yield { ...place, key: keyed(written()), error: found.error };
    let given: readonly unknown[];
    try {
      given =
        isObject(value) && format
          ? format.read(value, context).map((ours) => renamed(ours, value, fields, by))
          : [value];
    } catch (error) {
      if (!AgonError.is(error) || error.code === 'bad-flag') throw error;
      return yield { ...place, key: keyed(findItemId(value) ?? written()), error };
    }
    for (const ours of given) yield { ...place, ...readItem(ours, written) };
  }

  function readItem(ours: unknown, written: () => string): { key: string } & ({ item: Item } | { error: AgonError }) {
    try {
      const item = read(ours);
      return { key: keyed(item.id ?? written()), item };
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      return { key: keyed(findItemId(ours) ?? written()), error };
    }
  }

  return { format: () => format ?? agonFormat, lines: lines() };
}

/** What an item without an id is known by. */
function keyOf({ line, written }: InputValue): string {
  return written === null ? `line-${line}` : typeof written === 'string' ? sha256(written) : hashOf(written);
}

/** Columns that the user names stand over what the format reads. */
function renamed(
  ours: ItemFields,
  row: DatasetRow,
  fields: Readonly<Record<string, string>> = {},
  by = 'category',
): ItemFields {
  const mapped = Object.entries(fields).map(([field, theirs]) => [field, row[theirs]] as const);
  return mapped.length === 0 && by === 'category'
    ? ours
    : { ...ours, ...Object.fromEntries(mapped), ...(by === 'category' ? {} : { category: row[by] ?? ours[by] }) };
}

/** A byte-order mark within the first name of a row is not part of the name. */
export function withoutMarks(value: unknown): unknown {
  if (!isObject(value) || !Object.keys(value).some((name) => name.startsWith('\uFEFF'))) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.replace(/^\uFEFF/, ''), member]));
}
