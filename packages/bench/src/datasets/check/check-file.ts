import type { ItemLine } from '@agonhq/engine/items';
import path from 'node:path';
import type { DatasetOptions } from '../read-dataset.ts';
import { hashFile } from '../open-data.ts';
import { readItems, withoutMarks } from '../read-items.ts';
import { readRows } from '../read-rows.ts';
import { isObject, type ItemFields } from '../format.ts';
import { findFormat, recognizeFormat } from '../formats.ts';
import { checkDataset, type CheckOptions, type DataCheck } from './check-data.ts';
import type { JobBench } from '../../job-bench.ts';
import { listJobBenches, requireJobBench } from '../../jobs/index.ts';

export interface FileCheck extends DataCheck {
  file: string;
  sha256: string;
  format: string;
  /** The job's id. */
  job: string;
}

export interface CheckFileOptions
  extends
    Omit<CheckOptions, 'against'>,
    Pick<DatasetOptions, 'format' | 'root' | 'limit' | 'fields' | 'labels' | 'by'> {
  job?: string;
  /** Training files, in any format that can be read. */
  against?: readonly string[];
}

const example = '{"id":"1","text":"…","label":"safe"}';

/** Checks a file of labelled data of any format and size; its job is what its first item is of, unless it is named. */
export async function checkFile(
  file: string,
  { against = [], format, fields, by, labels, limit, root = path.dirname(file), ...options }: CheckFileOptions,
): Promise<FileCheck> {
  const sha256 = await hashFile(file);
  const bench = options.job === undefined ? await findJobBench(file, format, fields) : requireJobBench(options.job);
  const items = readItems(file, {
    read: (value) => bench.readItem(value, { root, labels }),
    example,
    unique: false,
    format,
    fields,
    by,
  });
  const checked = await checkDataset(firstOf(items.lines, limit), (item) => bench.readText(item), {
    ...options,
    against: against.map((other) => ({ source: path.basename(other), texts: textsIn(other) })),
  });
  return { file: path.basename(file), sha256, format: items.format().name, job: bench.job, ...checked };
}

async function* firstOf<Item>(
  lines: AsyncGenerator<ItemLine<Item>, void, void>,
  limit: number | undefined,
): AsyncGenerator<ItemLine<Item>, void, void> {
  let count = 0;
  for await (const line of lines) {
    yield line;
    count += 1;
    if (count === limit) return;
  }
}

/** The job of a file by the fields of its first item, or by those that were named. */
async function findJobBench(
  file: string,
  asked: string | undefined,
  fields: Readonly<Record<string, string>> = {},
): Promise<JobBench> {
  const benches = listJobBenches();
  const named = Object.keys(fields).some((field) => benches.some(({ itemFields }) => itemFields.includes(field)));
  for await (const ours of fieldsIn(file, asked)) {
    const told = named ? fields : ours;
    // What has a response may have a text as well: the last that fits says most.
    const found = benches.findLast(({ ownFields }) => ownFields.some((field) => field in told));
    if (found) return found;
    break;
  }
  return benches[0]!;
}

async function* fieldsIn(file: string, asked?: string): AsyncGenerator<ItemFields & { line: number }, void, void> {
  const named = asked === undefined ? null : findFormat(asked);
  const { values, layout } = await readRows(file, { example, ...(named ? { asked: named.format } : {}) });
  let format = named?.format ?? layout;
  for await (const found of values) {
    const row = 'value' in found ? withoutMarks(found.value) : undefined;
    if (!isObject(row)) continue;
    format ??= recognizeFormat(row, path.basename(file));
    for (const ours of format.read(row, { file: path.basename(file), option: named?.option ?? null }))
      yield { ...ours, line: found.line };
  }
}

/**
 * What the items of a file say, labelled or not: their text with what their image shows, prompt with response, or
 * claim; and each of these alone.
 */
async function* textsIn(file: string): AsyncGenerator<{ line: number; text: string }, void, void> {
  for await (const { line, ...ours } of fieldsIn(file)) {
    const parts = [
      ours['text'] ?? ours['input'],
      ours['image_description'] ?? ours['description'],
      ours['prompt'] ?? ours['question'],
      ours['response'] ?? ours['completion'],
      ours['claim'],
      messagesIn(ours['messages']),
    ].filter((part): part is string => typeof part === 'string' && part.trim() !== '' && part !== 'None');
    const text = (
      parts.length > 0
        ? parts
        : Object.values(ours).filter(
            (value): value is string => typeof value === 'string' && value.trim().includes(' '),
          )
    ).join(' ');
    if (text !== '') yield { line, text };
    if (parts.length > 1) for (const part of parts) yield { line, text: part };
  }
}

function messagesIn(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  return messages
    .flatMap((message) => (isObject(message) && typeof message['content'] === 'string' ? [message['content']] : []))
    .join(' ');
}
