import { AgonError } from '@agonhq/engine/agon-error';

export interface MemberLimits {
  /** What the file is called, for errors. */
  name: string;
  /** The largest member, in bytes. */
  largest: number;
}

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
] as const;
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * The members of a JSON list, one at a time and unparsed, however long the list is: only one member is in memory.
 * What stands between brackets is taken by its brackets, quotes and commas; whether a member is JSON its reader finds
 * out.
 */
export async function* readListMembers(
  input: AsyncIterable<Uint8Array>,
  { name, largest }: MemberLimits,
): AsyncGenerator<string, void, void> {
  let parts: Buffer[] = [];
  let size = 0;
  let depth = 0;
  let inText = false;
  let escaped = false;
  let ended = false;

  const taken = (chunk: Buffer, start: number, end: number) => {
    if (end <= start) return;
    parts.push(chunk.subarray(start, end));
    size += end - start;
    if (size > largest)
      throw new AgonError(
        'file-too-large',
        `${name} has an entry of more than ${Math.round(largest / 1e6)} MB.`,
        'Write one item a line (JSONL), or divide the file.',
      );
  };
  const member = () => {
    const text = decoded(Buffer.concat(parts), name);
    parts = [];
    size = 0;
    return text;
  };

  for await (const piece of input) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inText = false;
        continue;
      }
      if (ended) {
        if (!spaces.has(byte)) throw broken(name, 'something follows the end of the list');
        continue;
      }
      if (byte === quote) inText = true;
      else if (byte === openList || byte === openObject) {
        depth += 1;
        if (depth === 1) start = at + 1;
      } else if (byte === closeList || byte === closeObject) {
        depth -= 1;
        if (depth > 0) continue;
        taken(chunk, start, at);
        const last = member();
        if (last.trim() !== '') yield last;
        ended = true;
      } else if (byte === comma && depth === 1) {
        taken(chunk, start, at);
        start = at + 1;
        yield member();
      }
    }
    if (!ended && depth > 0) taken(chunk, start, chunk.length);
  }
  if (!ended) throw broken(name, 'it breaks off before the list ends');
}

function broken(name: string, why: string): AgonError {
  return new AgonError(
    'broken-json',
    `${name} is not a whole JSON list: ${why}.`,
    'Get the file again, or correct it.',
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new AgonError('broken-json', `${name} is not text in UTF-8.`, 'Convert the file to UTF-8.', { cause: error });
  }
}
