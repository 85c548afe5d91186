import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemLine } from '@agonhq/engine/items';
import type { JobBench } from '../job-bench.ts';
import type { ItemText, ItemReading, LabelledItem } from './labelled-item.ts';
import { hashFile } from './open-data.ts';
import { readItems } from './read-items.ts';

/** Labelled data, read into memory. */
export interface LabelledData<Item = LabelledItem> {
  /** The file's name without its folder. */
  file: string;
  sha256: string;
  /** Every line that is not blank; a broken one is an error with its number. */
  lines: readonly ItemLine<Item>[];
}

/** The same as it was read from a file. */
export interface Dataset<Item = LabelledItem> extends LabelledData<Item> {
  /** Which format it was read by. */
  format: string;
  /** What paths in it are relative to. */
  root: string;
}

export interface DatasetOptions extends ItemReading {
  /** `NAME` or `NAME:OPTION` of `agon bench datasets`; what the file holds decides when absent. */
  format?: string;
  /** What paths in items are relative to; by default the file's folder. */
  root?: string;
  /** Only the first so many items. */
  limit?: number;
  /** Items that may be in memory at once; a file with more is refused. */
  mostItems?: number;
}

/** What is measured at a time: more would neither fit into memory nor be judged in a day. */
const usualMost = 200_000;
const mostCharacters = 512 * 1024 * 1024;

/**
 * Opens labelled data of a job in any known format, or says in one line why it cannot be measured.
 *
 * @example const { lines, format } = await readDataset(moderationBench, 'xstest_prompts.csv', {})
 */
export async function readDataset<Item extends LabelledItem>(
  { job, example, readItem, readText }: Pick<JobBench<Item>, 'job' | 'example' | 'readItem' | 'readText'>,
  file: string,
  { format, limit, fields, by, labels, preferImages, root = path.dirname(file), mostItems }: DatasetOptions,
): Promise<Dataset<Item>> {
  const sha256 = await hashFile(file);
  const items = readItems(file, {
    read: (value) => readItem(value, { root, labels, preferImages }),
    example,
    job,
    format,
    fields,
    by,
  });
  const lines = await collectItems(items.lines, path.basename(file), { limit, mostItems });
  if (lines.length === 0)
    throw new AgonError(
      'empty-data',
      `${file} holds no items: there is nothing to measure.`,
      `Each line is one item, for example ${example}.`,
    );
  assertReadable(lines, path.basename(file), readText);
  return { file: path.basename(file), format: items.format().name, root, sha256, lines };
}

/** As many items as are wanted; refuses more than fit into memory. */
export async function collectItems<Item>(
  lines: AsyncGenerator<ItemLine<Item> & { size: number }, void, void>,
  file: string,
  {
    limit,
    mostItems = usualMost,
    mostText = mostCharacters,
  }: Pick<DatasetOptions, 'limit' | 'mostItems'> & { mostText?: number },
  work = 'measured',
): Promise<ItemLine<Item>[]> {
  const collection: ItemLine<Item>[] = [];
  let characters = 0;
  if (limit === 0) return collection;
  for await (const { size, ...line } of lines) {
    characters += size;
    if (collection.length >= mostItems || characters > mostText) {
      const most =
        collection.length >= mostItems
          ? `more than ${mostItems.toLocaleString('en-US')} items`
          : 'more text than fits into memory';
      throw new AgonError('too-much-data', `${file} holds ${most}: it cannot be ${work} at once.`, {
        library:
          `Take the first ones with --limit N (up to ${mostItems.toLocaleString('en-US')}), or divide the file; ` +
          '`agon bench datasets check` reads it whole.',
        api: 'Take the first ones (`limit`), or divide the file.',
      });
    }
    collection.push(line);
    if (collection.length === limit) break;
  }
  return collection;
}

/** A table made of errors would look like a measurement. */
function assertReadable<Item extends LabelledItem>(
  lines: readonly ItemLine<Item>[],
  file: string,
  readText: (item: Item) => ItemText | null,
): void {
  const broken = lines.flatMap((line) => ('error' in line ? [line.error] : []));
  const empty = lines.flatMap((line) => ('item' in line ? (explainEmpty(line.item, readText(line.item)) ?? []) : []));
  const [kind, errors] =
    broken.length >= empty.length ? (['cannot be read', broken] as const) : (['hold nothing to judge', empty] as const);
  if (errors.length * 2 <= lines.length) return;
  const causes = [...Map.groupBy(errors, ({ message }) => message)].toSorted(([, a], [, b]) => b.length - a.length);
  const [[cause, same]] = causes as [[string, AgonError[]]];
  throw new AgonError(
    'wrong-format',
    `${file} is not laid out as it was read: ${errors.length} of ${lines.length} items ${kind}, ` +
      `${same.length === errors.length ? 'all' : same.length} of them because: ${cause}`,
    {
      library:
        'Name its layout with --format (`agon bench datasets` lists them), or its columns with --map and its labels ' +
        'with --map-label.',
      api: 'Name its layout (`format`), or its columns (`map`) and its labels (`labels`).',
    },
  );
}

function explainEmpty(item: LabelledItem & { subject?: unknown }, text: ItemText | null): AgonError | undefined {
  if (AgonError.is(item.subject)) return item.subject;
  return text?.whole.trim() ? undefined : new AgonError('empty-subject', 'The item has no text and no image.', '');
}
