import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemLine } from '@agonhq/engine/items';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import { hashFile } from '../datasets/open-data.ts';
import { collectItems, type Dataset, type DatasetOptions } from '../datasets/read-dataset.ts';
import { readItems, type ItemsReading } from '../datasets/read-items.ts';
import type { JobBench } from '../job-bench.ts';

/** An item whose label may be missing: then it has the first one to whoever asks, and nobody here does. */
export type RawItem = LabelledItem & { gold: string | null };

export type RawDataOptions = Omit<DatasetOptions, 'mostItems'>;

/** Opens raw data: a file in any format whose labels are yet to be trusted, or given. */
export async function readRawData(bench: JobBench, file: string, options: RawDataOptions): Promise<Dataset<RawItem>> {
  const sha256 = await hashFile(file);
  const root = options.root ?? path.dirname(file);
  const [anyLabel = ''] = bench.listClasses(new Set());
  const read = openRawReader(
    (fields) => bench.readItem(fields, { root, labels: options.labels, preferImages: options.preferImages }),
    anyLabel,
  );
  const items = readItems(file, { read, ...readRawly(bench, options) });
  const lines = await collectItems(items.lines, file, { limit: options.limit, mostText: Infinity }, 'screened');
  if (lines.length === 0)
    throw new AgonError(
      'empty-data',
      `${file} holds no items: there is nothing to screen.`,
      `Each line is one item, for example ${writeExample(bench)}.`,
    );
  assertReadable(lines, path.basename(file));
  return { file: path.basename(file), sha256, format: items.format().name, root, lines };
}

/** A screening of errors would look like one of items. */
function assertReadable(lines: readonly ItemLine<unknown>[], file: string): void {
  const errors = lines.flatMap((line) => ('error' in line ? [line.error] : []));
  if (errors.length * 2 <= lines.length) return;
  throw new AgonError(
    'wrong-format',
    `${file} is not laid out as it was read: ${errors.length} of ${lines.length} lines are no items, the first ` +
      `because: ${errors[0]!.message}`,
    'Name its columns with --map and its labels with --map-label, or its layout with --format.',
  );
}

/** How a file is gone through, whatever is read of it: its items come in the same order every time. */
export function readRawly(
  bench: JobBench,
  { format, fields }: Pick<RawDataOptions, 'format' | 'fields'>,
): Omit<ItemsReading<never>, 'read'> {
  return { job: bench.job, example: writeExample(bench), format, fields };
}

function writeExample({ example }: JobBench): string {
  const { label: _, ...item } = JSON.parse(example) as Record<string, unknown>;
  return JSON.stringify(item);
}

/**
 * A label that is there must be one we know; an item without one, or with divided raters, stays without, and is read
 * with `anyLabel` in its place.
 */
export function openRawReader<Item extends LabelledItem>(
  read: (fields: unknown) => Item,
  anyLabel: string,
): (fields: unknown) => Item & { gold: string | null } {
  const withGold = (item: Item) => ({ ...item, gold: item.label });
  return (fields) => {
    const { label, raters } =
      typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : { label: fields };
    if (!isAbsent(label)) return withGold(read(fields));
    if (!isAbsent(raters)) {
      try {
        return withGold(read(fields));
      } catch (error) {
        if (!AgonError.is(error)) throw error;
      }
    }
    return { ...read({ ...(fields as object), label: anyLabel, raters: undefined }), gold: null };
  };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && ['', 'None'].includes(value.trim()));
}
