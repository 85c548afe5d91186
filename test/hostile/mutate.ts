import { unzipSync, zipSync } from 'fflate';
import type { Draws } from './draws.ts';

/* Damage that follows from a seed: to bytes, to the tokens of a text, to the entries of a zip. */

/** Numbers at which sizes, offsets and counts go wrong. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** What parsers of texts stumble over. */
const stumbles = [
  '',
  '\u0000',
  '\ud800',
  '\u202e',
  '\ufeff',
  '\r',
  '\n',
  '\t',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '&',
  '&#0;',
  '&lt;',
  '<!--',
  '<![CDATA[',
  '<table>',
  '</table>',
  '|',
  '`'.repeat(4),
  '#'.repeat(8),
  '-1',
  '1e999',
  '9007199254740993',
  'NaN',
  'null',
  '__proto__',
  'constructor',
  '=cmd|1',
  '*a',
  '&a ',
  '!!js/function ',
  '%s%n',
  '../../',
];

type Mutation = (bytes: Buffer, draws: Draws) => Buffer;

const spanOf = (length: number, { below }: Draws, longest: number) => {
  const start = below(length + 1);
  return { start, end: Math.min(length, start + below(longest) + 1) };
};

const byteMutations: readonly Mutation[] = [
  (bytes, { below }) => {
    const at = below(bytes.length);
    bytes[at] = bytes[at]! ^ (1 << below(8));
    return bytes;
  },
  (bytes, { below }) => {
    bytes[below(bytes.length)] = below(256);
    return bytes;
  },
  (bytes, draws) => {
    const value = draws.pick(edges);
    const at = draws.below(Math.max(1, bytes.length - 4));
    if (bytes.length < 4) return bytes;
    if (draws.below(2) === 0) bytes.writeUInt32LE(value, at);
    else bytes.writeUInt32BE(value, at);
    return bytes;
  },
  (bytes, draws) => {
    const { start, end } = spanOf(bytes.length, draws, 64);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  },
  (bytes, draws) => {
    const { start, end } = spanOf(bytes.length, draws, 256);
    const piece = bytes.subarray(start, end);
    return Buffer.concat([bytes.subarray(0, end), piece, piece, bytes.subarray(end)]);
  },
  (bytes, { below }) => bytes.subarray(0, below(bytes.length)),
  (bytes, draws) => {
    const at = draws.below(bytes.length);
    const noise = Buffer.from(Array.from({ length: draws.below(32) + 1 }, () => draws.below(256)));
    return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]);
  },
  (bytes, draws) => {
    const { start, end } = spanOf(bytes.length, draws, 64);
    bytes.fill(draws.pick([0, 0xff, 0x20]), start, end);
    return bytes;
  },
  (bytes, draws) => {
    const from = spanOf(bytes.length, draws, 128);
    const to = draws.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from.start, from.end), bytes.subarray(to)]);
  },
];

/** Up to four injuries to the bytes. */
export function mutateBytes(good: Uint8Array, draws: Draws): Buffer<ArrayBuffer> {
  let bytes = Buffer.from(good);
  for (let times = draws.below(4) + 1; times > 0 && bytes.length > 0; times -= 1)
    bytes = Buffer.from(draws.pick(byteMutations)(bytes, draws));
  return bytes;
}

/** Up to four injuries to the tokens of a text. */
export function mutateText(good: string, draws: Draws): string {
  const tokens = good.match(/\w+|\s+|[^\w\s]/g) ?? [];
  for (let times = draws.below(4) + 1; times > 0 && tokens.length > 0; times -= 1) {
    const at = draws.below(tokens.length);
    const other = draws.below(tokens.length);
    const injury = draws.below(7);
    if (injury === 0) tokens[at] = draws.pick(stumbles);
    else if (injury === 1) tokens.splice(at, 0, draws.pick(stumbles));
    else if (injury === 2) tokens.splice(at, draws.below(20) + 1);
    else if (injury === 3) [tokens[at], tokens[other]] = [tokens[other]!, tokens[at]!];
    else if (injury === 4) tokens.splice(at, 0, ...tokens.slice(other, other + 40));
    else if (injury === 5) tokens[at] = tokens[at]!.repeat(draws.pick([2, 50, 2_000]));
    else tokens.length = at;
  }
  return tokens.join('');
}

/** An injury to what is in a zip, packed again as if it were whole: the entry's text, its bytes, its name, its loss. */
export function mutateZip(good: Uint8Array, draws: Draws): Buffer {
  const entries = Object.entries(unzipSync(good));
  const at = draws.below(entries.length);
  const [name, content] = entries[at]!;
  const injury = draws.below(6);
  if (injury === 0) entries.splice(at, 1);
  else if (injury === 1)
    entries[at] = [draws.pick(['../../evil', '/etc/passwd', '', 'a\u0000b', name.toUpperCase()]), content];
  else if (injury === 2) entries[at] = [name, mutateBytes(content, draws)];
  else entries[at] = [name, Buffer.from(mutateText(new TextDecoder().decode(content), draws))];
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 1 }));
}
