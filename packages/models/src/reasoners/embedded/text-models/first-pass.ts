import {
  gatherBatches,
  layOutTokens,
  openEncoder,
  shareReadings,
  tokenizeText,
  type SharedReadOptions,
} from '../runtime/index.ts';
import { guardHeads } from './heads.ts';

/** A smaller model that has learnt what the guard's first model makes of a short text. */
export interface FirstPass {
  /** The calibrated logit of a text; null where it is too long for a first pass, or has a word that nobody knows. */
  read(text: string, options?: SharedReadOptions): Promise<number | null>;
}

/** What was trained: texts of so many characters, and tokens with the marks at both ends. */
const longest = { characters: 320, tokens: 96 };

/** Loads the first pass of a guard's folder, which the caller closes. */
export async function loadFirstPass(folder: string): Promise<FirstPass & { close(): Promise<void> }> {
  const files = { folder, manifest: 'guard.json', model: 'glance.onnx', heads: guardHeads, forMany: true };
  const { session, vocabulary, marks } = await openEncoder(files);
  const readWindow = gatherBatches(
    async (windows: readonly { ids: readonly number[] }[], columns) => {
      const outputs = await session.run({ inputs: layOutTokens(windows, columns), rows: windows.length });
      return [...outputs['logit']!];
    },
    () => session.lanes(),
  );
  const shared = shareReadings<{ logit: number | null; tokens: { length: number } }>();
  return {
    async read(text, options) {
      if (text.length > longest.characters) return null;
      const { logit } = await shared(
        text,
        async (signal) => {
          const { ids } = await tokenizeText(text, vocabulary, signal);
          const window = { ids: [marks.start, ...ids, marks.separator] };
          const isTakenIn = window.ids.length <= longest.tokens && !ids.includes(vocabulary.unknown);
          return { logit: isTakenIn ? await readWindow(window, signal) : null, tokens: { length: ids.length } };
        },
        options,
      );
      return logit;
    },
    close: () => session.close(),
  };
}
