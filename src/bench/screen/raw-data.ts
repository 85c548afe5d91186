import type { ItemLine } from '../../items/index.ts';
import path from 'node:path';
import { AgonError } from '../../errors.ts';
import { openItemReader, type DatasetOptions, type JobItems, type LabelledData } from '../datasets/read-dataset.ts';
import { readItems, type ItemsReading } from '../datasets/read-items.ts';
import { hashFile } from '../datasets/open-data.ts';

/** Jobs whose items are safe or unsafe. */
export type ScreenedJob = 'moderation' | 'evaluation';

/** An item whose label may be missing: then it counts as safe to whoever asks, and nobody here does. */
export type RawItem<Job extends ScreenedJob = ScreenedJob> = JobItems[Job] & { gold: 'safe' | 'unsafe' | null };

export type RawDataOptions<Job extends ScreenedJob = ScreenedJob> = DatasetOptions<Job>;

const mostItems = 200_000;
const example = { moderation: '{"id":"1","text":"…"}', evaluation: '{"id":"1","prompt":"…","response":"…"}' };

/** Opens raw data: a benchmark in any format whose labels are yet to be trusted, or given. */
export async function readRawData<Job extends ScreenedJob>(
  file: string,
  options: RawDataOptions<Job>,
): Promise<LabelledData<RawItem<Job>>> {
  const sha256 = await hashFile(file);
  const read = rawReader(
    openItemReader({ ...options, root: options.root ?? path.dirname(file) }) as (fields: unknown) => JobItems[Job],
  );
  const lines: ItemLine<RawItem<Job>>[] = [];
  if (options.limit !== 0) {
    for await (const { size: _, ...line } of readItems(file, { read, ...rawReading(options) }).lines) {
      if (lines.length === mostItems)
        throw new AgonError(
          'too-much-data',
          `${file} holds more than ${mostItems.toLocaleString('en-US')} items: it cannot be screened at once.`,
          'Take the first ones with --limit N, or divide the file.',
        );
      lines.push(line);
      if (lines.length === options.limit) break;
    }
  }
  if (lines.length === 0)
    throw new AgonError(
      'empty-data',
      `${file} holds no items: there is nothing to screen.`,
      `Each line is one item, for example ${example[options.job]}.`,
    );
  assertReadable(lines, path.basename(file));
  return { file: path.basename(file), sha256, lines };
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
export function rawReading({ job, format, fields }: RawDataOptions): Omit<ItemsReading<never>, 'read'> {
  return {
    job,
    example: example[job],
    ...(format === undefined ? {} : { format }),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** A label that is there must be one we know; an item without one, or with divided raters, stays without. */
export function rawReader<Item extends { unsafe: boolean }>(
  read: (fields: unknown) => Item,
): (fields: unknown) => Item & { gold: 'safe' | 'unsafe' | null } {
  const labelled = (item: Item) => ({ ...item, gold: item.unsafe ? ('unsafe' as const) : ('safe' as const) });
  return (fields) => {
    const { label, raters } =
      typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : { label: fields };
    if (!isAbsent(label)) return labelled(read(fields));
    if (!isAbsent(raters)) {
      try {
        return labelled(read(fields));
      } catch (error) {
        if (!AgonError.is(error)) throw error;
      }
    }
    return { ...read({ ...(fields as object), label: 'safe', raters: undefined }), gold: null };
  };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && ['', 'None'].includes(value.trim()));
}
