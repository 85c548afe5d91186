/* As much of DER (X.690) as time stamps need: definite lengths only, and nothing behind what was read. */

/** A value: its tag byte, what is in it, and all its bytes. */
export interface DerValue {
  tag: number;
  content: Uint8Array;
  bytes: Uint8Array;
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectId: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** Constructed, of the context. */
  context0: 0xa0,
} as const;

const longestLength = 4;

function writeValue(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content;
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  const header = length < 128 ? [tag, length] : [tag, 0x80 | digits.length, ...digits];
  return Buffer.concat([Uint8Array.from(header), content]);
}

export const writeSequence = (...parts: readonly Uint8Array[]) => writeValue(tags.sequence, Buffer.concat(parts));
export const writeOctets = (bytes: Uint8Array) => writeValue(tags.octetString, bytes);
export const writeNull = () => writeValue(tags.null, new Uint8Array());
export const writeBoolean = (value: boolean) => writeValue(tags.boolean, Uint8Array.of(value ? 0xff : 0));

/** A whole number that is not negative, its bytes the largest first. */
export function writeInteger(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start === -1 ? Uint8Array.of(0) : bytes.subarray(start);
  return writeValue(tags.integer, digits[0]! >= 128 ? Buffer.concat([Uint8Array.of(0), digits]) : digits);
}

export function writeObjectId(id: string): Uint8Array {
  const [first, second, ...rest] = id.split('.').map(Number);
  const groups = [first! * 40 + second!, ...rest].map((number) => {
    const digits = [number % 128];
    for (let more = Math.floor(number / 128); more > 0; more = Math.floor(more / 128))
      digits.unshift((more % 128) | 0x80);
    return Uint8Array.from(digits);
  });
  return writeValue(tags.objectId, Buffer.concat(groups));
}

/** The only value in some bytes. */
export function readDerValue(bytes: Uint8Array, tag?: number): DerValue {
  const [value, ...more] = readValues(bytes);
  if (!value || more.length > 0) throw new Error('it is not one value in DER');
  if (tag !== undefined && value.tag !== tag) throw new Error(`a value has tag ${value.tag} where ${tag} should be`);
  return value;
}

/** The values in some bytes, one behind the other. */
export function readValues(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const { start, length } = readHeader(bytes, at);
    const end = start + length;
    if (end > bytes.length) throw new Error('a value in DER is cut off');
    values.push({ tag: bytes[at]!, content: bytes.subarray(start, end), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}

function readHeader(bytes: Uint8Array, at: number): { start: number; length: number } {
  const first = bytes[at + 1];
  if (first === undefined || (bytes[at]! & 0x1f) === 0x1f) throw new Error('a value in DER has no length');
  if (first < 128) return { start: at + 2, length: first };
  const digits = first & 0x7f;
  if (digits === 0 || digits > longestLength || at + 2 + digits > bytes.length)
    throw new Error('a length is not as DER has it');
  let length = 0;
  for (let index = 0; index < digits; index += 1) length = length * 256 + bytes[at + 2 + index]!;
  return { start: at + 2 + digits, length };
}

export function readObjectId({ tag, content }: DerValue): string {
  if (tag !== tags.objectId) throw new Error('an object identifier is missing');
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (byte < 128) {
      numbers.push(number);
      number = 0;
    }
  }
  const [first = 0, ...rest] = numbers;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}

/** `20261117101112Z`, with or without parts of seconds. */
export function readTime({ tag, content }: DerValue): Date {
  const text = Buffer.from(content).toString('latin1');
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text);
  if (tag !== tags.generalizedTime || !parts) throw new Error('a moment is not as DER has it');
  const [, year, month, day, hour, minute, second, part = ''] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${part.slice(0, 4)}Z`);
}
