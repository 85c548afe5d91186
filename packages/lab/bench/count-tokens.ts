import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { CapturedCall } from './capture.ts';

/** Role markers around each message, and the opening of the answer, as OpenAI counts them. */
const tokensOfAMessage = 3;
const tokensOfTheOpening = 3;

export interface CountedCall extends CapturedCall {
  /** The schema, the system message and the user's, in the order in which a provider's cache compares them. */
  prefix: number[];
  schema: string;
  input: number;
  output: number;
}

export function countTokens(call: CapturedCall): CountedCall {
  const { messages, response_format: format } = call.body;
  const schema = JSON.stringify(format.json_schema.schema);
  const prefix = [schema, ...messages.map((message: { content: string }) => message.content)].flatMap((text) =>
    encode(text),
  );
  return {
    ...call,
    prefix,
    schema,
    input: prefix.length + messages.length * tokensOfAMessage + tokensOfTheOpening,
    output: tokensIn(call.reply),
  };
}

/**
 * How many input tokens of a call a provider would serve from its cache: the longest common prefix with a call to the
 * same model and schema that was answered before this one began, from 1,024 tokens on, in steps of 128.
 */
export function cachedTokens(call: CountedCall, earlier: readonly CountedCall[]): number {
  const known = earlier.filter(
    ({ model, schema, endedAt }) => model === call.model && schema === call.schema && endedAt <= call.startedAt,
  );
  const longest = Math.max(0, ...known.map((other) => commonPrefix(call.prefix, other.prefix)));
  return longest < 1_024 ? 0 : longest - (longest % 128);
}

export function tokensIn(text: string): number {
  return encode(text).length;
}

export function commonPrefix(a: readonly number[], b: readonly number[]): number {
  const end = a.findIndex((token, index) => token !== b[index]);
  return end === -1 ? a.length : end;
}
