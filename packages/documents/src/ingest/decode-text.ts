import { analyse } from 'chardet';
import { AgonError } from '@agonhq/engine/agon-error';

export interface DecodedText {
  text: string;
  /** A label of the Encoding standard: `utf-8`, `windows-1252`. */
  encoding: string;
}

const boms = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];
/** A guess below this is no better than Latin letters. */
const sure = 30;
const sampleBytes = 200_000;
const likelySingleByte = /^(?:iso-8859-1|windows-1252)$/iu;

/** Text out of bytes: by its byte order mark, as UTF-8, else by what its letters look like. Line ends become `\n`. */
export function decodeText(bytes: Uint8Array, name: string): DecodedText {
  const encoding = detectEncoding(bytes, name);
  const text = new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, '\n');
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text.slice(0, 10_000)) && shareOfControls(text.slice(0, 10_000)) > 0.01) {
    throw new AgonError(
      'unknown-format',
      `${name} is not a text, nor any other format that Agon reads.`,
      'Agon reads PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text and images.',
    );
  }
  return { text, encoding };
}

/** What to say of an encoding that a reader might not expect; nothing of UTF-8. */
export function describeEncoding(encoding: string): string[] {
  return encoding === 'utf-8' ? [] : [`Its letters were read as ${encoding}.`];
}

function detectEncoding(bytes: Uint8Array, name: string): string {
  const bom = boms.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
  if (bom) return bom.encoding;
  if (isUtf8(bytes)) return hasNuls(bytes) ? detectUtf16(bytes) : 'utf-8';
  if (hasNuls(bytes)) {
    const wide = detectUtf16(bytes);
    if (wide !== 'utf-8') return wide;
  }
  const guesses = analyse(bytes.subarray(0, sampleBytes));
  const guess = guesses.find((match) => isDecodable(match.name));
  if (guess === undefined) {
    throw new AgonError('undecodable-text', `The letters of ${name} could not be decoded.`, 'Save it as UTF-8.');
  }
  // Among Latin encodings a short text tells little: take the one that is nearly always meant.
  const likely =
    guess.confidence < sure || likelySingleByte.test(guess.name) ? 'windows-1252' : guess.name.toLowerCase();
  return new TextDecoder(likely).encoding;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function isDecodable(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false;
  }
}

function hasNuls(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 4096).includes(0);
}

/** Latin text in UTF-16 has a zero in every other byte. */
function detectUtf16(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const half = sample.length / 2;
  if (zeros[1]! > half * 0.6 && zeros[0]! < half * 0.1) return 'utf-16le';
  if (zeros[0]! > half * 0.6 && zeros[1]! < half * 0.1) return 'utf-16be';
  return 'utf-8';
}

function shareOfControls(text: string): number {
  return (text.match(/[\0-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0) / text.length;
}
