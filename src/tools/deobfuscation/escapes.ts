import type { Finding } from './finding.ts';
import { isLanguage } from './readable.ts';

const htmlEntities = /(?:&#(?:x[0-9a-f]{2,6}|\d{2,7});[^\S\n]?){3,}/gi;
const unicodeEscapes = /(?:(?:\\u\{?|%u|U\+)00[0-7][0-9a-f]\}?[^\S\n]?){3,}/gi;

/** Letters written as numeric HTML entities: `&#107;&#105;&#108;&#108;`. */
export function entities(text: string): Finding[] {
  return decodeRuns('html-entities', text, htmlEntities, (run) =>
    run.replace(/&#(x?)([0-9a-f]+);/gi, (_entity, isHex: string, digits: string) => character(digits, isHex ? 16 : 10)),
  );
}

/**
 * Latin letters written as Unicode escapes: `\u006b\u0069`, `U+006B U+0069`. Other scripts are escaped by
 * every JSON encoder and are not reported.
 */
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
