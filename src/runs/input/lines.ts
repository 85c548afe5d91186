/**
 * One line of a file: its text, or null when it is not UTF-8. `ended` is false for a last line without a line break.
 */
export interface Line {
  text: string | null;
  ended: boolean;
}

const newline = 0x0a;

/** The lines of a stream of bytes. Node's readline would also break at U+2028, which JSON strings may hold as it is. */
export async function* linesOf(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<Line, void, void> {
  let begun: Buffer[] = [];
  for await (const piece of input) {
    const chunk = Buffer.from(piece as Uint8Array);
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      begun.push(chunk.subarray(start, end));
      yield { text: decode(Buffer.concat(begun)), ended: true };
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  if (begun.length > 0) yield { text: decode(Buffer.concat(begun)), ended: false };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes).replace(/\r$/, '');
  } catch {
    return null;
  }
}
