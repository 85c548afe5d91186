import { writeFile } from 'node:fs/promises';

/*
 * A language model of a few thousand random numbers, in the format of llama.cpp: it says nothing that means anything,
 * and loads, reads, writes and stops like a real one.
 */

const size = { embedding: 32, hidden: 64, heads: 2 };

const template =
  "{% for message in messages %}<|{{ message['role'] }}|>\n{{ message['content'] }}{{ eos_token }}\n{% endfor %}" +
  '{% if add_generation_prompt %}<|assistant|>\n{% endif %}';

type Value =
  | { kind: 'u32' | 'f32'; value: number }
  | { kind: 'text'; value: string }
  | { kind: 'texts'; values: readonly string[] }
  | { kind: 'f32s' | 'i32s'; values: readonly number[] };

/** Writes a model with a context of so many tokens; another seed gives another model. */
export async function writeTinyModel(file: string, { contextTokens = 2_048, seed = 1 } = {}): Promise<void> {
  const words = listTokens();
  const metadata: Record<string, Value> = {
    'general.architecture': { kind: 'text', value: 'llama' },
    'general.name': { kind: 'text', value: 'tiny' },
    'llama.context_length': { kind: 'u32', value: contextTokens },
    'llama.embedding_length': { kind: 'u32', value: size.embedding },
    'llama.block_count': { kind: 'u32', value: 1 },
    'llama.feed_forward_length': { kind: 'u32', value: size.hidden },
    'llama.attention.head_count': { kind: 'u32', value: size.heads },
    'llama.attention.head_count_kv': { kind: 'u32', value: size.heads },
    'llama.rope.dimension_count': { kind: 'u32', value: size.embedding / size.heads },
    'llama.attention.layer_norm_rms_epsilon': { kind: 'f32', value: 1e-5 },
    'llama.vocab_size': { kind: 'u32', value: words.length },
    'tokenizer.ggml.model': { kind: 'text', value: 'llama' },
    'tokenizer.ggml.tokens': { kind: 'texts', values: words.map(({ text }) => text) },
    'tokenizer.ggml.scores': { kind: 'f32s', values: words.map((_, index) => -index) },
    'tokenizer.ggml.token_type': { kind: 'i32s', values: words.map(({ type }) => type) },
    'tokenizer.ggml.bos_token_id': { kind: 'u32', value: 1 },
    'tokenizer.ggml.eos_token_id': { kind: 'u32', value: 2 },
    'tokenizer.ggml.unknown_token_id': { kind: 'u32', value: 0 },
    'tokenizer.chat_template': { kind: 'text', value: template },
  };
  const { embedding, hidden } = size;
  const tensors: [name: string, shape: number[]][] = [
    ['token_embd.weight', [embedding, words.length]],
    ['output_norm.weight', [embedding]],
    ['output.weight', [embedding, words.length]],
    ['blk.0.attn_norm.weight', [embedding]],
    ...['q', 'k', 'v', 'output'].map((part): [string, number[]] => [
      `blk.0.attn_${part}.weight`,
      [embedding, embedding],
    ]),
    ['blk.0.ffn_norm.weight', [embedding]],
    ['blk.0.ffn_gate.weight', [embedding, hidden]],
    ['blk.0.ffn_up.weight', [embedding, hidden]],
    ['blk.0.ffn_down.weight', [hidden, embedding]],
  ];
  await writeFile(file, encode(metadata, tensors, createRandom(seed)));
}

const tokenTypes = { normal: 1, unknown: 2, control: 3, byte: 6 };

/** The marks, every byte, and every printable letter: any text can be written with them. */
function listTokens(): { text: string; type: number }[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => ({
    text: `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    type: tokenTypes.byte,
  }));
  const letters = ['▁', ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))];
  return [
    { text: '<unk>', type: tokenTypes.unknown },
    { text: '<s>', type: tokenTypes.control },
    { text: '</s>', type: tokenTypes.control },
    ...bytes,
    ...letters.map((text) => ({ text, type: tokenTypes.normal })),
  ];
}

const alignment = 32;

function encode(metadata: Record<string, Value>, tensors: [string, number[]][], random: () => number): Buffer {
  const counts = [uint32(3), uint64(tensors.length), uint64(Object.keys(metadata).length)];
  const pairs = Object.entries(metadata).flatMap(([name, value]) => [string(name), encodeValue(value)]);
  let offset = 0;
  const listed: Buffer[] = [];
  const weights: Buffer[] = [];
  for (const [name, shape] of tensors) {
    const numbers = new Float32Array(shape.reduce((product, length) => product * length, 1));
    // Norms scale by one; everything else is noise.
    for (let index = 0; index < numbers.length; index += 1) numbers[index] = shape.length === 1 ? 1 : random() - 0.5;
    listed.push(string(name), uint32(shape.length), ...shape.map(uint64), uint32(0), uint64(offset));
    const bytes = pad(Buffer.from(numbers.buffer));
    weights.push(bytes);
    offset += bytes.length;
  }
  return Buffer.concat([pad(Buffer.concat([Buffer.from('GGUF'), ...counts, ...pairs, ...listed])), ...weights]);
}

/** A value with its type before it. */
function encodeValue(value: Value): Buffer {
  switch (value.kind) {
    case 'u32':
      return Buffer.concat([uint32(4), uint32(value.value)]);
    case 'f32':
      return Buffer.concat([uint32(6), float32(value.value)]);
    case 'text':
      return Buffer.concat([uint32(8), string(value.value)]);
    case 'texts':
      return encodeArray(8, value.values.map(string));
    case 'f32s':
      return encodeArray(6, value.values.map(float32));
    case 'i32s':
      return encodeArray(5, value.values.map(uint32));
  }
}

function encodeArray(type: number, values: Buffer[]): Buffer {
  return Buffer.concat([uint32(9), uint32(type), uint64(values.length), ...values]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);
}

/** The same numbers from the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
