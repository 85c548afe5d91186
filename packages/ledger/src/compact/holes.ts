/** What one answer has of its own where its template has a hole. */
export type Hole =
  /** `sha256:…`: 32 bytes. */
  | { type: 'hash'; value: string }
  | { type: 'number'; value: number }
  /** A figure in a sentence, with as many decimals as it is written with. */
  | { type: 'figure'; value: string }
  /** Words of the subject: a range of one of its texts, or the words themselves where they are in none. */
  | { type: 'words'; value: string };

export type HoleValue = string | number;

const types = ['hash', 'number', 'figure', 'words'] as const satisfies readonly Hole['type'][];
/** A number that is no decimal of few digits: its eight bytes follow. */
const plainDouble = 31;
const mostDecimals = 17;
const powers = Array.from({ length: mostDecimals + 1 }, (_, digits) => 10 ** digits);

let scratch = Buffer.allocUnsafe(64 * 1_024);

/** Writes into a buffer that grows, and is used again by the next: nothing is awaited in between. */
class Writer {
  length = 0;

  reserve(bytes: number): void {
    if (this.length + bytes <= scratch.length) return;
    const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, this.length + bytes));
    scratch.copy(larger, 0, 0, this.length);
    scratch = larger;
  }

  byte(value: number): void {
    this.reserve(1);
    scratch[this.length++] = value;
  }

  whole(value: number): void {
    this.reserve(8);
    for (; value >= 128; value = Math.floor(value / 128)) scratch[this.length++] = (value % 128) | 128;
    scratch[this.length++] = value;
  }
}

/**
 * The holes as bytes: for each, its type in two bits with a part of its value, and the rest of it. `texts` are those
 * that words may be a range of.
 */
export function encodeHoles(holes: readonly Hole[], texts: readonly string[]): Uint8Array {
  const writer = new Writer();
  for (const hole of holes) {
    const type = types.indexOf(hole.type);
    if (hole.type === 'hash') {
      writer.reserve(33);
      scratch[writer.length++] = type;
      writer.length += scratch.write(hole.value.slice(7), writer.length, 'hex');
    } else if (hole.type === 'number') encodeNumber(writer, type, hole.value);
    else if (hole.type === 'figure') {
      const decimals = hole.value.length - hole.value.indexOf('.') - 1;
      writer.byte(type | (decimals << 2));
      writer.whole(Number(hole.value.replace('.', '')));
    } else encodeWords(writer, type, hole.value, texts);
  }
  return new Uint8Array(scratch.subarray(0, writer.length));
}

function encodeNumber(writer: Writer, type: number, value: number): void {
  if (value >= 0 && !Object.is(value, -0))
    for (let decimals = 0; decimals <= mostDecimals; decimals += 1) {
      const digits = Math.round(value * powers[decimals]!);
      if (digits > Number.MAX_SAFE_INTEGER) break;
      if (digits / powers[decimals]! !== value) continue;
      writer.byte(type | (decimals << 2));
      writer.whole(digits);
      return;
    }
  writer.byte(type | (plainDouble << 2));
  writer.reserve(8);
  writer.length = scratch.writeDoubleLE(value, writer.length);
}

function encodeWords(writer: Writer, type: number, words: string, texts: readonly string[]): void {
  for (let index = 0; index < texts.length && index < 60; index += 1) {
    const start = texts[index]!.indexOf(words);
    if (start === -1) continue;
    writer.byte(type | ((index + 1) << 2));
    writer.whole(start);
    writer.whole(words.length);
    return;
  }
  writer.byte(type);
  // Words may have half of a letter, which UTF-8 cannot: JSON can.
  const json = JSON.stringify(words);
  const bytes = Buffer.byteLength(json);
  writer.whole(bytes);
  writer.reserve(bytes);
  writer.length += scratch.write(json, writer.length);
}

/** The values of holes, as they stand in JSON: a string without its quotation marks. */
export function decodeHoles(bytes: Uint8Array, texts: readonly string[]): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: string[] = [];
  let at = 0;
  const readWhole = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = buffer[at++];
      if (byte === undefined) throw new RangeError('The bytes end in the midst of a number.');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < buffer.length) {
    const head = buffer[at++]!;
    const type = types[head & 3];
    const detail = head >> 2;
    if (type === 'hash') values.push(buffer.toString('hex', at, (at += 32)));
    else if (type === 'figure') values.push((readWhole() / powers[detail]!).toFixed(detail));
    else if (type === 'number' && detail === plainDouble) {
      values.push(JSON.stringify(buffer.readDoubleLE(at)));
      at += 8;
    } else if (type === 'number') values.push(JSON.stringify(readWhole() / powers[detail]!));
    else if (detail > 0) {
      const start = readWhole();
      values.push(JSON.stringify(texts[detail - 1]!.slice(start, start + readWhole())).slice(1, -1));
    } else {
      const length = readWhole();
      // Without the quotation marks around it.
      values.push(buffer.toString('utf8', at + 1, at + length - 1));
      at += length;
    }
  }
  return values;
}
