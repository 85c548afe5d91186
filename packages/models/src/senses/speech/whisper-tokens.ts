import { z } from 'zod';

const configSchema = z.object({
  suppress_tokens: z.array(z.int()),
  begin_suppress_tokens: z.array(z.int()),
  decoder_start_token_id: z.int(),
  eos_token_id: z.int(),
  no_timestamps_token_id: z.int(),
  lang_to_id: z.record(z.string(), z.int()),
  task_to_id: z.object({ transcribe: z.int() }),
});

/** Whisper's signs: what its numbers mean. */
export interface WhisperTokens {
  start: number;
  end: number;
  transcribe: number;
  /** Says that nobody speaks. */
  noSpeech: number;
  noTimes: number;
  /** 0.00 s; each sign after it is 20 ms later. */
  firstTime: number;
  /** Languages by sign: `en`, `de`, … */
  languages: ReadonlyMap<number, string>;
  /** Signs that are never said, and those that nothing begins with. */
  never: readonly number[];
  neverFirst: readonly number[];
  decode(tokens: readonly number[]): string;
}

/** Reads the vocabulary and how it is to be used. */
export function readTokens(vocabulary: string, config: string): WhisperTokens {
  const pieces = new Map(
    Object.entries(z.record(z.string(), z.int()).parse(JSON.parse(vocabulary))).map(([piece, id]) => [id, piece]),
  );
  const given = configSchema.parse(JSON.parse(config));
  return {
    start: given.decoder_start_token_id,
    end: given.eos_token_id,
    transcribe: given.task_to_id.transcribe,
    noSpeech: given.no_timestamps_token_id - 1,
    noTimes: given.no_timestamps_token_id,
    firstTime: given.no_timestamps_token_id + 1,
    languages: new Map(Object.entries(given.lang_to_id).map(([name, id]) => [id, name.slice(2, -2)])),
    // Tags beside the words, `<|translate|>` and its like, are signs of the prompt only.
    never: given.suppress_tokens,
    neverFirst: given.begin_suppress_tokens,
    decode(tokens) {
      const bytes = tokens.flatMap((token) =>
        Array.from(pieces.get(token) ?? '', (character) => byteOf.get(character)!),
      );
      return new TextDecoder().decode(Uint8Array.from(bytes));
    },
  };
}

/** Bytes are written as letters that can be seen: themselves where they are, else one of those from U+0100 on. */
const byteOf = new Map<string, number>();
let hidden = 0;
for (let byte = 0; byte < 256; byte += 1) {
  const isSeen = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  byteOf.set(String.fromCodePoint(isSeen ? byte : 256 + hidden), byte);
  if (!isSeen) hidden += 1;
}
