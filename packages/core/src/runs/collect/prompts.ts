import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { readItemLines, openLines, createUniqueKeys, type ItemLine } from '@agonhq/engine/items';

/** What a target model is asked. */
export interface CollectedPrompt {
  id: string;
  text: string;
}

const hint =
  'Give a file with a prompt on each line, JSONL with "prompt" (and "id"), or CSV with a column named prompt.';

/**
 * Reads prompts: JSONL ({"id", "prompt"} or {"text"}), CSV with a column `prompt` (or `text`), or one prompt a line.
 * A prompt without an id is named by its line: `line-3`. What cannot be read is an error in its place.
 */
export async function readPrompts(file: string): Promise<ItemLine<CollectedPrompt>[]> {
  const input = await openLines(file).catch((error: unknown) => {
    throw AgonError.is(error) ? new AgonError(error.code, error.message, hint, { cause: error }) : error;
  });
  const text = decode(await buffer(input), file);
  const lines = await linesOf(text, file);
  if (lines.length === 0) throw new AgonError('empty-prompts', `${file} holds no prompts.`, hint);
  const unique = createUniqueKeys();
  return lines.map((line) => {
    const key = unique(line.key);
    return 'item' in line ? { ...line, key, item: { id: key, text: line.item.text } } : { ...line, key };
  });
}

async function linesOf(text: string, file: string): Promise<ItemLine<CollectedPrompt>[]> {
  if (/\.csv$/i.test(file)) return promptsOfCsv(text, file);
  if (/\.(jsonl|ndjson|json)$/i.test(file) || /^\s*\{"/.test(text)) {
    const lines: ItemLine<CollectedPrompt>[] = [];
    for await (const line of readItemLines<Partial<CollectedPrompt> & { text: string }>(
      Readable.from([text]),
      readPrompt,
    )) {
      const id = ('item' in line && line.item.id) || `line-${line.line}`;
      lines.push(
        'item' in line ? { line: line.line, key: id, item: { id, text: line.item.text } } : { ...line, key: id },
      );
    }
    return lines;
  }
  return text
    .split(/\r?\n/)
    .flatMap((prompt, index) => (prompt.trim() === '' ? [] : [lineOf(index + 1, undefined, prompt)]));
}

const promptSchema = z.looseObject({
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  prompt: z.string().nullish(),
  text: z.string().nullish(),
});

function readPrompt(value: unknown): { id?: string; text: string } {
  const read = promptSchema.safeParse(value);
  const text = read.success ? (read.data.prompt ?? read.data.text) : undefined;
  if (text === undefined || text === null) throw new AgonError('broken-line', 'The line holds no prompt.', hint);
  const id = read.data!.id?.trim();
  return { ...(id ? { id } : {}), text: askable(text) };
}

function promptsOfCsv(text: string, file: string): ItemLine<CollectedPrompt>[] {
  const [head, ...rows] = readRows(text, file);
  const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase());
  const column = ['prompt', 'text'].map((name) => names.indexOf(name)).find((index) => index !== -1);
  if (head && column === undefined)
    throw new AgonError(
      'broken-prompts',
      `${file} has no column named prompt; its columns are ${head.cells.join(', ')}.`,
      hint,
    );
  return rows.map(({ line, cells }) => lineOf(line, cells[names.indexOf('id')]?.trim(), cells[column!] ?? ''));
}

/** Rows that hold something, each with the line it begins on. */
function readRows(text: string, file: string): { line: number; cells: string[] }[] {
  try {
    const ends = [0];
    const read = parse(text, {
      relax_column_count: true,
      on_record(record, { lines }) {
        ends.push(lines);
        return record;
      },
    });
    const rows = read.map((cells, index) => ({ line: ends[index]! + 1, cells }));
    return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (error) {
    throw new AgonError('broken-prompts', `${file} is not CSV: ${(error as Error).message}.`, hint, { cause: error });
  }
}

function lineOf(line: number, given: string | undefined, prompt: string): ItemLine<CollectedPrompt> {
  const key = given || `line-${line}`;
  try {
    return { line, key, item: { id: key, text: askable(prompt) } };
  } catch (error) {
    return { line, key, error: error as AgonError };
  }
}

/** What can be sent, and quoted when the exchange is judged. */
function askable(text: string): string {
  if (text.trim() === '') throw new AgonError('empty-prompt', 'The prompt is empty.', hint);
  if (!text.isWellFormed()) throw new AgonError('broken-line', 'The prompt holds half of a surrogate pair.', hint);
  if (text.includes('\u0000')) throw new AgonError('broken-line', 'The prompt looks like binary data.', hint);
  return text;
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AgonError('broken-prompts', `${file} is not text in UTF-8.`, 'Convert the file to UTF-8.', {
      cause: error,
    });
  }
}
