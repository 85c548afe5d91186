/** How a file separates its values. */
export interface Separators {
  delimiter: string;
  quote: string | false;
}

const [newline, space] = [10, 32];

/**
 * Hands out the rows of separated values as they pass, until `onRow` returns false. A quotation mark within a value is
 * a letter. Returns false when one that opens a value is never closed.
 */
export function scanCsv(
  text: string,
  { delimiter, quote }: Separators,
  onRow: (values: string[]) => boolean | void,
): boolean {
  const [comma, mark] = [delimiter.charCodeAt(0), quote === false ? -1 : quote.charCodeAt(0)];
  let at = 0;
  while (at < text.length) {
    const values: string[] = [];
    for (;;) {
      let value: string;
      if (mark !== -1 && text.charCodeAt(at) === mark) {
        const closed = findClosingQuote(text, at + 1, mark);
        if (closed === -1) return false;
        const end = findEnd(text, closed + 1, comma);
        const quoted = text.slice(at + 1, closed);
        const plain = isBlankBetween(text, closed + 1, end);
        value = plain
          ? quoted.replaceAll(`${quote as string}${quote as string}`, quote as string)
          : text.slice(at, end);
        at = end;
      } else {
        const end = findEnd(text, at, comma);
        value = text.slice(at, end);
        at = end;
      }
      values.push(value);
      if (text.charCodeAt(at) !== comma) break;
      at += 1;
    }
    at += 1;
    if (onRow(values) === false) return true;
  }
  return true;
}

function findClosingQuote(text: string, from: number, mark: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== mark) continue;
    if (text.charCodeAt(at + 1) !== mark) return at;
    at += 1;
  }
  return -1;
}

/** Where a value that begins or goes on here ends: at a delimiter, a line's end, or the end of all. */
function findEnd(text: string, from: number, comma: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || code === newline) break;
  }
  return at;
}

function isBlankBetween(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) !== space) return false;
  return true;
}
