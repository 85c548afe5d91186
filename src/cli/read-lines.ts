import { AgonError } from '../errors.ts';
import { openLines } from '../runs/index.ts';

/** The lines of a file, or of standard input for `-`, one after the other, however large it is. */
export async function* linesOf(file: string): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const piece of (await openLines(file)) as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
    yield rest + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new AgonError(
      'unreadable-file',
      `${file === '-' ? 'Standard input' : file} is not UTF-8.`,
      'Save it as UTF-8. Nothing was imported.',
      { cause: error },
    );
  }
}
