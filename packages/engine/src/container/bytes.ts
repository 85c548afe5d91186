const atOnce = 0x8000;

/** Base64 of bytes, in Node and in a browser. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += atOnce)
    // Spread, they would be asked for one by one.
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + atOnce) as unknown as number[]);
  return btoa(text);
}

/** The bytes of base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  // A callback for each would take ten times as long.
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index += 1) bytes[index] = letters.charCodeAt(index);
  return bytes;
}

let hexadecimal: readonly string[] | undefined;

/** In hexadecimal digits. */
export function encodeHex(bytes: Uint8Array): string {
  hexadecimal ??= Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
  let text = '';
  for (const byte of bytes) text += hexadecimal[byte]!;
  return text;
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
