import type { ItemLine } from '../../items/index.ts';
import path from 'node:path';
import { AgonError } from '../../errors.ts';
import { readLabelledClaim, type ClaimClass, type LabelledClaim } from '../jobs/documents/labelled-claim.ts';
import type { BenchJob } from '../result.ts';
import { hashFile } from './open-data.ts';
import { readItems } from './read-items.ts';
import { readLabelledContent, type ContentReading, type LabelledContent } from '../jobs/moderation/labelled-content.ts';
import {
  readLabelledExchange,
  type ExchangeReading,
  type LabelledExchange,
} from '../jobs/evaluation/labelled-exchange.ts';

/** A benchmark, read into memory. */
export interface LabelledData<Item> {
  /** The file's name without its folder. */
  file: string;
  sha256: string;
  /** Every line that is not blank; a broken one is an error with its number. */
  lines: readonly ItemLine<Item>[];
}

/** The items of each job. */
export interface JobItems {
  moderation: LabelledContent;
  evaluation: LabelledExchange;
  documents: LabelledClaim;
}

export type DatasetItem = JobItems[BenchJob];

/** A benchmark of one job, with the format it was read by and the folder that paths in it are relative to. */
export type Dataset<Job extends BenchJob = BenchJob> = {
  [One in Job]: LabelledData<JobItems[One]> & { job: One; format: string; root: string };
}[Job];

/** How a file is read, whatever the job. */
export interface DataOptions {
  /** `NAME` or `NAME:OPTION` of `agon bench datasets`; what the file holds decides when absent. */
  format?: string;
  /** What paths in items are relative to; by default the file's folder. */
  root?: string;
  /** Only the first so many items. */
  limit?: number;
  /** Our field names and what the file calls them. */
  fields?: Readonly<Record<string, string>>;
  /** The column of the table of categories. */
  by?: string;
}

export interface DatasetOptions<Job extends BenchJob = BenchJob> extends DataOptions {
  job: Job;
  /** The file's labels and what they mean. */
  labels?: Readonly<Record<string, string>>;
  /** Where an item has both, its image is looked at instead of its description. */
  preferImages?: boolean;
  /** Items that may be in memory at once; a file with more is refused. */
  mostItems?: number;
}

export interface ContentDataOptions extends DataOptions, Omit<ContentReading, 'root'> {}

export interface ExchangeDataOptions extends Omit<DataOptions, 'root'>, ExchangeReading {}

/** What is measured at a time: more would neither fit into memory nor be judged in a day. */
const usualMost = 200_000;
const mostCharacters = 512 * 1024 * 1024;

/**
 * Opens a benchmark of any job in any known format, or says in one line why it cannot be measured.
 *
 * @example const { lines, format } = await readBenchData('xstest_prompts.csv', { job: 'moderation' })
 */
export async function readDataset<Job extends BenchJob>(
  file: string,
  options: DatasetOptions<Job>,
): Promise<Dataset<Job>> {
  const { job, format, limit, fields, by, mostItems = usualMost } = options;
  const root = options.root ?? path.dirname(file);
  const sha256 = await hashFile(file);
  const { example } = jobReaders[job];
  const items = readItems<DatasetItem>(file, {
    read: openItemReader(options),
    example,
    job,
    ...given({ format, fields, by }),
  });
  const lines = await collected(items.lines, path.basename(file), { limit, mostItems });
  if (lines.length === 0)
    throw new AgonError(
      'empty-data',
      `${file} holds no items: there is nothing to measure.`,
      `Each line is one item, for example ${example}.`,
    );
  assertReadable(lines, path.basename(file));
  return {
    job,
    file: path.basename(file),
    format: items.format().name,
    root,
    sha256,
    lines,
  } as unknown as Dataset<Job>;
}

/** Opens a benchmark of moderation. */
export async function readContentData(file: string, options: ContentDataOptions): Promise<Dataset<'moderation'>> {
  return readDataset(file, { job: 'moderation', ...options });
}

/** Opens a benchmark of evaluation. */
export async function readExchangeData(file: string, options: ExchangeDataOptions): Promise<Dataset<'evaluation'>> {
  return readDataset(file, { job: 'evaluation', ...options });
}

type Reading = Pick<DatasetOptions, 'labels' | 'root' | 'preferImages'>;

/** How each job reads an item from our own fields, and a line as it should be. */
const jobReaders: {
  [Job in BenchJob]: { read(fields: unknown, reading: Reading & { root: string }): JobItems[Job]; example: string };
} = {
  moderation: {
    read: (fields, { labels, root, preferImages }) =>
      readLabelledContent(fields, { root, ...given({ preferImages, labels: labels as ContentReading['labels'] }) }),
    example: '{"id":"1","text":"…","label":"safe"}',
  },
  evaluation: {
    read: (fields, { labels }) => readLabelledExchange(fields, given({ labels: labels as ExchangeReading['labels'] })),
    example: '{"id":"1","prompt":"…","response":"…","label":"safe"}',
  },
  documents: {
    read: (fields, { labels }) =>
      readLabelledClaim(fields, given({ labels: labels as Readonly<Record<string, ClaimClass>> | undefined })),
    example: '{"id":"1","claim":"…","label":"entailed","doc":"report.pdf"}',
  },
};

/** Reads one item of a job from our own fields. */
export function openItemReader({
  job,
  root = '.',
  ...reading
}: Reading & { job: BenchJob }): (fields: unknown) => DatasetItem {
  return (fields) => jobReaders[job].read(fields, { ...reading, root });
}

async function collected<Item>(
  lines: AsyncGenerator<ItemLine<Item> & { size: number }, void, void>,
  file: string,
  { limit, mostItems }: { limit: number | undefined; mostItems: number },
): Promise<ItemLine<Item>[]> {
  const collection: ItemLine<Item>[] = [];
  let characters = 0;
  if (limit === 0) return collection;
  for await (const { size, ...line } of lines) {
    characters += size;
    if (collection.length >= mostItems || characters > mostCharacters) {
      const most =
        collection.length >= mostItems
          ? `more than ${mostItems.toLocaleString('en-US')} items`
          : 'more text than fits into memory';
      throw new AgonError(
        'too-much-data',
        `${file} holds ${most}: it cannot be measured at once.`,
        `Take the first ones with --limit N (up to ${mostItems.toLocaleString('en-US')}), or divide the file; ` +
          '`agon bench datasets check` reads it whole.',
      );
    }
    collection.push(line);
    if (collection.length === limit) break;
  }
  return collection;
}

/** A table made of errors would look like a measurement. */
function assertReadable(lines: readonly ItemLine<DatasetItem>[], file: string): void {
  const broken = lines.flatMap((line) => ('error' in line ? [line.error] : []));
  const empty = lines.flatMap((line) => ('item' in line ? (whyEmpty(line.item) ?? []) : []));
  const [kind, errors] =
    broken.length >= empty.length ? (['cannot be read', broken] as const) : (['hold nothing to judge', empty] as const);
  if (errors.length * 2 <= lines.length) return;
  const causes = [...Map.groupBy(errors, ({ message }) => message)].toSorted(([, a], [, b]) => b.length - a.length);
  const [[cause, same]] = causes as [[string, AgonError[]]];
  throw new AgonError(
    'wrong-format',
    `${file} is not laid out as it was read: ${errors.length} of ${lines.length} items ${kind}, ${same.length === errors.length ? 'all' : same.length} ` +
      `of them because: ${cause}`,
    'Name its layout with --format (`agon bench datasets` lists them), or its columns with --map and its labels ' +
      'with --map-label.',
  );
}

function whyEmpty(item: DatasetItem): AgonError | undefined {
  if (!('subject' in item)) return undefined;
  if (AgonError.is(item.subject)) return item.subject;
  return item.modality === null ? new AgonError('empty-subject', 'The item has no text and no image.', '') : undefined;
}

/** The options that were given. */
function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };
}
