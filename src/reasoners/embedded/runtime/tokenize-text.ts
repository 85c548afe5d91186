import { setImmediate as nextTurn } from 'node:timers/promises';
import { tokenize, type Pieces, type Vocabulary } from './tokenizer.ts';

const stretch = 32_768;

/** Tokenizes stretch by stretch, from gap to gap, so that a megabyte does not hold the event loop up. */
export async function tokenizeText(text: string, vocabulary: Vocabulary, signal: AbortSignal): Promise<Pieces> {
  const all: Pieces = { ids: [], starts: [], ends: [] };
  for (let from = 0, to; from < text.length; from = to) {
    if (from > 0) await nextTurn(undefined, { signal });
    const gap = /[ \t\n\r]/g;
    gap.lastIndex = from + stretch;
    to = gap.exec(text)?.index ?? text.length;
    const pieces = tokenize(text, vocabulary, from, to);
    for (const name of ['ids', 'starts', 'ends'] as const) {
      for (const value of pieces[name]) all[name].push(value);
    }
  }
  return all;
}
