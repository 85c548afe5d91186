import { AgonError } from '../../errors.ts';
import { numberedLines, parseLine } from './item-lines.ts';
import type { InputValue } from './input-value.ts';

/**
 * The values of JSON Lines, one at a time. With `bare`, a line that is no JSON is a text: a list of paths needs no
 * quotes.
 */
export async function* jsonValues(
  input: AsyncIterable<string | Uint8Array>,
  { example, bare = false }: { example: string; bare?: boolean },
): AsyncGenerator<InputValue, void, void> {
  for await (const { line, text } of numberedLines(input)) {
    try {
      const value = bare && text !== null && !/^\s*["[{]/.test(text) ? text.trim() : parseLine(text, example);
      yield { line, written: text, value };
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      yield { line, written: text, error };
    }
  }
}
