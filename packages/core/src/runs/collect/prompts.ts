import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import {
  createUniqueKeys,
  openLines,
  readCsvValues,
  readJsonValues,
  type InputValue,
  type ItemLine,
} from '@agonhq/engine/items';

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
  const unique = createUniqueKeys();
  const lines: ItemLine<CollectedPrompt>[] = [];
  for await (const found of readValues(text, file)) lines.push(readLine(found, unique));
  if (lines.length === 0) throw new AgonError('empty-prompts', `${file} holds no prompts.`, hint);
  return lines;
}

function readValues(text: string, file: string): AsyncIterable<InputValue> | Iterable<InputValue> {
  const bytes = Readable.from([Buffer.from(text)]);
  if (/\.csv$/i.test(file)) return readTable(bytes, file);
  if (/\.(jsonl|ndjson|json)$/i.test(file) || /^\s*\{"/.test(text))
    return readJsonValues(bytes, { example: '{"id":"1","prompt":"…"}' });
  return text
    .split(/\r?\n/)
    .flatMap((prompt, index) =>
      prompt.trim() === '' ? [] : [{ line: index + 1, written: prompt, value: { prompt } }],
    );
}

async function* readTable(bytes: Readable, file: string): AsyncGenerator<InputValue, void, void> {
  function columnsOf(header: readonly string[]): string[] {
    const names = header.map((name) => name.toLowerCase());
    const column = ['prompt', 'text'].find((name) => names.includes(name));
    if (column === undefined)
      throw new AgonError(
        'broken-prompts',
        `${file} has no column named prompt; its columns are ${header.join(', ')}.`,
        hint,
      );
    return names.map((name) => (name === column ? 'prompt' : name === 'id' ? name : ''));
  }
  try {
    for await (const row of readCsvValues(bytes, { name: file, delimiter: ',', columnsOf }))
      yield 'value' in row ? { ...row, value: { prompt: '', ...(row.value as object) } } : row;
  } catch (error) {
    if (!AgonError.is(error) || error.code === 'broken-prompts') throw error;
    throw new AgonError('broken-prompts', error.message, hint, { cause: error });
  }
}

const promptSchema = z.looseObject({
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  prompt: z.string().nullish(),
  text: z.string().nullish(),
});

function readLine({ line, ...found }: InputValue, unique: (key: string) => string): ItemLine<CollectedPrompt> {
  const { data } = promptSchema.safeParse('value' in found ? found.value : null);
  const key = unique(data?.id?.trim() || `line-${line}`);
  if ('error' in found) return { line, key, error: found.error };
  const text = data?.prompt ?? data?.text;
  if (text === undefined || text === null)
    return { line, key, error: new AgonError('broken-line', 'The line holds no prompt.', hint) };
  const problem = findProblem(text);
  return problem ? { line, key, error: problem } : { line, key, item: { id: key, text } };
}

/** Why a text cannot be sent, or not quoted when the exchange is judged. */
function findProblem(text: string): AgonError | null {
  if (text.trim() === '') return new AgonError('empty-prompt', 'The prompt is empty.', hint);
  if (!text.isWellFormed()) return new AgonError('broken-line', 'The prompt holds half of a surrogate pair.', hint);
  if (text.includes('\u0000')) return new AgonError('broken-line', 'The prompt looks like binary data.', hint);
  return null;
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
