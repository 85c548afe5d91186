import { createHash } from 'node:crypto';
import path from 'node:path';
import { AgonError } from '../../errors.ts';
import { itemLines, openLines, type ItemLine } from '../../runs/index.ts';
import { readLabelledContent, type ContentReading, type LabelledContent } from './labelled-content.ts';
import { readLabelledExchange, type ExchangeReading, type LabelledExchange } from './labelled-exchange.ts';

/** A benchmark, read into memory. */
export interface LabelledData<Item> {
  /** The file's name without its folder. */
  file: string;
  sha256: string;
  /** Every line that is not blank; a broken one is an error with its number. */
  lines: readonly ItemLine<Item>[];
}

export interface ContentDataOptions extends Omit<ContentReading, 'root'> {
  /** What image paths are relative to; by default the file's folder. */
  root?: string;
  /** Only the first so many items. */
  limit?: number;
}

export interface ExchangeDataOptions extends ExchangeReading {
  limit?: number;
}

/** Opens a benchmark of moderation. */
export async function readContentData(file: string, { limit, ...options }: ContentDataOptions): Promise<LabelledData<LabelledContent>> {
  const reading = { ...options, root: options.root ?? path.dirname(file) };
  return readLabelledData(file, { limit, read: (value) => readLabelledContent(value, reading), example: '{"id":"1","text":"…","label":"safe"}' });
}

/** Opens a benchmark of evaluation. */
export async function readExchangeData(file: string, { limit, ...reading }: ExchangeDataOptions): Promise<LabelledData<LabelledExchange>> {
  return readLabelledData(file, { limit, read: (value) => readLabelledExchange(value, reading), example: '{"id":"1","prompt":"…","response":"…","label":"safe"}' });
}

export interface DataReading<Item> {
  read: (value: unknown) => Item;
  limit?: number;
  /** A line as it should be, for whoever gave an empty file. */
  example: string;
}

/** Opens a file of labelled items, or says what could not be measured and why. */
export async function readLabelledData<Item extends { id?: string }>(file: string, { read, limit, example }: DataReading<Item>): Promise<LabelledData<Item>> {
  const sha256 = await hashOfFile(file);
  const input = await openLines(file);
  const lines: ItemLine<Item>[] = [];
  try {
    for await (const line of itemLines(input, read, example)) {
      if (lines.length === limit) break;
      lines.push(line);
    }
  } finally {
    input.destroy();
  }
  if (lines.length === 0) throw new AgonError('empty-data', `${file} holds no items: there is nothing to measure.`, `Each line is one item, for example ${example}.`);
  return { file: path.basename(file), sha256, lines };
}

async function hashOfFile(file: string): Promise<string> {
  const input = await openLines(file).catch((error: unknown) => {
    if (!AgonError.is(error)) throw error;
    const hint = process.env['AGON_DATASETS'] ? 'Check the path of --data.' : 'Point AGON_DATASETS at the folder of the data sets (it is not set), and --data at a file in it.';
    throw new AgonError(error.code, `${error.message} The figures on ${path.basename(file)} were not measured.`, hint, { cause: error });
  });
  const hash = createHash('sha256');
  for await (const chunk of input as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}
