import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';

/*
 * Prompts repeat themselves: the rules and the policy are the same for every case, the case file for every seat, and
 * what was said so far for every later turn. So long texts are taken out of a call, cut where paragraphs end, and kept
 * once by their content; a common beginning gives the same pieces.
 */

/** What stands in a call for a text that was taken out of it, or for JSON that was. */
const reference = z.union([
  z.strictObject({ $texts: z.array(z.string()) }),
  z.strictObject({ $json: z.array(z.string()) }),
]);

const shortest = 256;
const pieceLength = 1_024;

/** A value without its long texts, which are handed to `keep`, each by its hash. */
export function packValue(value: unknown, keep: (hash: string, text: string) => void): unknown {
  const keepText = (text: string) =>
    cutText(text).map((piece) => {
      const hash = sha256(piece);
      keep(hash, piece);
      return hash;
    });
  const pack = (part: unknown): unknown => {
    if (typeof part === 'string') return part.length < shortest ? part : { $texts: keepText(part) };
    if (typeof part !== 'object' || part === null) return part;
    const packed: unknown = Array.isArray(part)
      ? part.map(pack)
      : Object.fromEntries(Object.entries(part).map(([name, member]) => [name, pack(member)]));
    const json = JSON.stringify(packed);
    // A schema is long without a long text in it, and the same for every turn of a seat.
    return json.length < pieceLength || /"\$(?:texts|json)"/.test(json) ? packed : { $json: keepText(json) };
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return pack(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, pack(member)]));
}

/** The value as it was, given its texts. */
export function unpackValue(value: unknown, textOf: (hash: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => unpackValue(member, textOf));
  const found = reference.safeParse(value).data;
  if (found && '$texts' in found) return found.$texts.map(textOf).join('');
  if (found) return JSON.parse(found.$json.map(textOf).join('')) as unknown;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unpackValue(member, textOf)]));
}

/** The hashes of the texts that a packed value refers to. */
export function listReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Array.isArray(value) ? undefined : reference.safeParse(value).data;
  if (found) return '$texts' in found ? found.$texts : found.$json;
  return Object.values(value).flatMap(listReferences);
}

/** Pieces that end with a paragraph, the first possible one each. */
function cutText(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const paragraph = text.indexOf('\n\n', start + pieceLength);
    const end = paragraph === -1 ? text.length : paragraph + 2;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

export function compressText(text: string): Uint8Array {
  return deflateRawSync(text);
}

export function expandText(data: Uint8Array, hash: string): string {
  const text = inflateRawSync(data).toString('utf8');
  if (sha256(text) !== hash)
    throw new AgonError(
      'damaged-ledger',
      `A kept prompt is not what its hash ${hash} says.`,
      'Restore the ledger from an export or a backup.',
    );
  return text;
}
