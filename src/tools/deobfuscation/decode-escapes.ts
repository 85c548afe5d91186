import type { Finding } from './finding.ts';
import { isLanguage } from './known-words.ts';

const encodedLetter = /%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi;
const maxLength = 65_536;

/** Percent-encoding that hides text: letters that need none, or whole sentences outside an address. */
export function urlEncoding(text: string): Finding[] {
  const findings: Finding[] = [];
  if (!text.includes('%')) return findings;
  for (const word of text.split(/\s+/)) {
    if (!word.includes('%')) continue;
    const original = word.slice(0, maxLength);
    const hidesLetters = (original.match(encodedLetter)?.length ?? 0) >= 3;
    const isAddress = /:\/\/|^www\.|^mailto:|[?&][\w-]+=/i.test(original);
    if (!hidesLetters && (isAddress || (original.match(/%20/g)?.length ?? 0) < 2)) continue;
    const decoded = decode(original);
    if (decoded !== null && isLanguage(decoded))
      findings.push({ tool: 'url-encoding', text: decoded, original, readable: true });
  }
  return findings;
}

function decode(encoded: string): string | null {
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
  for (const [original] of text.matchAll(pattern)) {
    const decoded = decode(original).trim();
    const readable = isLanguage(decoded);
    if (readable || decoded.length >= 16) findings.push({ tool, text: decoded, original, readable });
  }
  return findings;
}

function character(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
