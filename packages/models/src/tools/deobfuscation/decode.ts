import { findMatches } from '@agonhq/engine/text';
import { type Finding, payload } from './finding.ts';
import { isLanguage, utf8 } from './known-words.ts';

const encodedLetter = /%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi;
const maxLength = 65_536;
/** What may have percent-encoding in it without hiding anything. */
export const isAddress = /:\/\/|^www\.|^mailto:|[?&][\w-]+=/i;

/** Percent-encoding that hides text: letters that need none, or whole sentences outside an address. */
export function urlEncoding(text: string): Finding[] {
  const findings: Finding[] = [];
  if (!text.includes('%')) return findings;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!word.includes('%')) continue;
    const original = word.slice(0, maxLength);
    const hidesLetters = (original.match(encodedLetter)?.length ?? 0) >= 3;
    if (!hidesLetters && (isAddress.test(original) || (original.match(/%20/g)?.length ?? 0) < 2)) continue;
    const decoded = decodePercent(original);
    if (decoded !== null && isLanguage(decoded))
      findings.push(payload('url-encoding', { original, start: index }, decoded, true));
  }
  return findings;
}

/** Percent-encoding in plain; null where it is none of UTF-8. */
export function decodePercent(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return null;
  }
}

const htmlEntities = /(?:&#(?:x[0-9a-f]{2,6}|\d{2,7});[^\S\n]?){3,}/gi;
const unicodeEscapes = /(?:(?:\\u\{?|%u|U\+)00[0-7][0-9a-f]\}?[^\S\n]?){3,}/gi;

/** Letters written as numeric HTML entities: `&#107;&#105;&#108;&#108;`. */
export function entities(text: string): Finding[] {
  return decodeRuns('html-entities', text, htmlEntities, (run) =>
    run.replace(/&#(x?)([0-9a-f]+);/gi, (_entity, isHex: string, digits: string) => character(digits, isHex ? 16 : 10)),
  );
}

/** Latin letters as Unicode escapes (`\u006b`, `U+006B`); other scripts are escaped by every JSON encoder. */
export function escapes(text: string): Finding[] {
  return decodeRuns('unicode-escapes', text, unicodeEscapes, (run) =>
    run.replace(
      /(?:\\u\{?|%u|U\+)(00[0-7][0-9a-f])\}?([^\S\n]?)/gi,
      (escape, digits: string, space: string) => character(digits, 16) + (escape.startsWith('U+') ? '' : space),
    ),
  );
}

function decodeRuns(tool: string, text: string, pattern: RegExp, decode: (run: string) => string): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: original, index } of findMatches(text, pattern)) {
    const decoded = decode(original).trim();
    const readable = isLanguage(decoded);
    if (readable || decoded.length >= 16) findings.push(payload(tool, { original, start: index }, decoded, readable));
  }
  return findings;
}

function character(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

const run = /(?<![0-9a-z])(?:0x)?((?:[0-9a-f]{2}){4,})(?![0-9a-z])/gi;
const pairs = /(?<![0-9a-z])(?:0x|\\x)?[0-9a-f]{2}(?:(?:[ ,:-]{1,2}(?:0x)?|\\x)[0-9a-f]{2}){3,}(?![0-9a-z])/gi;

/** Bytes in hexadecimal, in one run (`6b696c6c`) or in pairs (`6b 69 6c 6c`, `\x6b\x69\x6c\x6c`, `0x6b, 0x69`). */
export function hex(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const pattern of [run, pairs]) {
    for (const { 0: original, index } of findMatches(text, pattern)) {
      const digits = original
        .slice(0, 4 * maxDigits)
        .replace(/0x|\\x|[ ,:-]/gi, '')
        .slice(0, maxDigits);
      const decoded = utf8(Buffer.from(digits, 'hex'), { isCut: digits.length === maxDigits });
      if (decoded === null) continue;
      const readable = isLanguage(decoded);
      if (readable || decoded.length >= 16)
        findings.push(payload('hex', { original, start: index }, decoded, readable));
    }
  }
  return findings;
}

/** Plain and URL-safe alphabets; a payload may be wrapped into lines. */
const blocks = /(?<![\w+/-])[\w+/-]{6,}(?:\r?\n[\w+/-]+)*={0,2}(?![\w+/=-])/g;
/** Each group of four that encodes ASCII begins with one of these: few words of prose do so throughout. */
const encodesAscii = /^(?:[I-Za-f][\w+/-]{3})*(?:[I-Za-f][\w+/-]{0,2})?$/;
const least = { digits: 8, steppingStone: 12 };
const short = 24;
const maxShort = 2000;
const maxDigits = 65_536;

/** Text in base64, in one piece or in lines. Identifiers and binary data in base64 are no text and give nothing. */
export function base64(text: string): Finding[] {
  const findings: Finding[] = [];
  let shortOnes = 0;
  for (const { 0: block, index } of findMatches(text, blocks)) {
    const whole = decode(block, index);
    const lines = whole ? [] : block.split(/\r?\n/);
    if (whole) findings.push(whole);
    if (lines.length === 1) continue;
    let start = index;
    for (const line of lines) {
      const finding = decode(line, start);
      if (finding) findings.push(finding);
      start = text.indexOf('\n', start) + 1;
    }
  }
  return findings;

  function decode(original: string, start: number): Finding | null {
    if (original.length < least.digits) return null;
    const digits = original
      .slice(0, 2 * maxDigits)
      .replace(/[\s=]/g, '')
      .slice(0, maxDigits);
    if (digits.length % 4 === 1) return null;
    if (digits.length < short && (!encodesAscii.test(digits) || ++shortOnes > maxShort)) return null;
    const decoded = utf8(Buffer.from(digits, 'base64url'), { isCut: digits.length === maxDigits });
    if (decoded === null || decoded.length < 4) return null;
    const readable = isLanguage(decoded);
    return readable || digits.length >= least.steppingStone
      ? payload('base64', { original, start }, decoded, readable)
      : null;
  }
}

const bits = /(?<![\w.])[01]{8}(?:[ ,]{0,2}[01]{8}){2,}(?![\w.])/g;
const decimals = /(?<![\w.])\d{2,3}(?:(?:, ?| )\d{2,3}){4,}(?![\w.])/g;
const base32Runs = /(?<![\w=])[A-Z2-7]{16,}={0,6}(?![\w=])/g;
const morseRuns = /(?<!\S)[.\-·–−]{1,6}(?:[ /|]{1,3}[.\-·–−]{1,6}){3,}(?:\s*[/|])?(?!\S)/g;

/** Text as numbers or signals: binary (`01101011 01101001 …`), character codes (`107 105 …`), base32, Morse. */
export function characterCodes(text: string): Finding[] {
  return [
    ...readRuns('binary', text, bits, (run) => bytesToText(run.match(/[01]{8}/g)!, 2)),
    ...readRuns('character-codes', text, decimals, (run) => bytesToText(run.match(/\d+/g)!, 10)),
    ...readRuns('base32', text, base32Runs, decodeBase32),
    ...readRuns('morse', text, morseRuns, decodeMorse),
  ];
}

function readRuns(tool: string, text: string, pattern: RegExp, decode: (run: string) => string | null): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: original, index } of findMatches(text, pattern)) {
    const decoded = decode(original.slice(0, maxLength));
    if (decoded !== null && isLanguage(decoded))
      findings.push(payload(tool, { original, start: index }, decoded.trim(), true));
  }
  return findings;
}

function bytesToText(numbers: readonly string[], radix: number): string | null {
  const bytes = numbers.map((number) => Number.parseInt(number, radix));
  return bytes.every((byte) => byte >= 9 && byte < 256) ? utf8(Uint8Array.from(bytes)) : null;
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function decodeBase32(run: string): string | null {
  const bytes: number[] = [];
  let held = 0;
  let count = 0;
  for (const digit of run.replace(/(?<!=)=+$/, '')) {
    held = ((held << 5) | base32Alphabet.indexOf(digit)) & 0xff_ff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((held >> count) & 0xff);
  }
  return utf8(Uint8Array.from(bytes));
}

const signals =
  `.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..
  ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.`.split(/\s+/);
const letterOf = new Map(signals.map((signal, index) => [signal, 'abcdefghijklmnopqrstuvwxyz0123456789'[index]!]));
letterOf.set('..--..', '?').set('.-.-.-', '.').set('--..--', ',').set('.----.', "'");

function decodeMorse(run: string): string | null {
  const words = run
    .replace(/[·]/g, '.')
    .replace(/[–−]/g, '-')
    .split(/(?:(?<!\s)\s+)?[/|]\s*|(?<! ) {2,}/)
    .filter((word) => word.trim() !== '')
    .map((word) => Array.from(word.trim().split(' '), (signal) => letterOf.get(signal) ?? null));
  return words.flat().includes(null) ? null : words.map((word) => word.join('')).join(' ');
}
