import type { Finding } from './finding.ts';
import { isLanguage, utf8 } from './readable.ts';

const run = /(?<![0-9a-z])(?:0x)?((?:[0-9a-f]{2}){4,})(?![0-9a-z])/gi;
const pairs = /(?<![0-9a-z])(?:0x|\\x)?[0-9a-f]{2}(?:(?:[ ,:-]{1,2}(?:0x)?|\\x)[0-9a-f]{2}){3,}(?![0-9a-z])/gi;
const maxDigits = 65_536;

/** Bytes in hexadecimal, in one run (`6b696c6c`) or in pairs (`6b 69 6c 6c`, `\x6b\x69\x6c\x6c`, `0x6b, 0x69`). */
export function hex(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const pattern of [run, pairs]) {
    for (const [original] of text.matchAll(pattern)) {
      const digits = original
        .slice(0, 4 * maxDigits)
        .replace(/0x|\\x|[ ,:-]/gi, '')
        .slice(0, maxDigits);
      const decoded = utf8(Buffer.from(digits, 'hex'), { isCut: digits.length === maxDigits });
      if (decoded === null) continue;
      const readable = isLanguage(decoded);
      if (readable || decoded.length >= 16) findings.push({ tool: 'hex', text: decoded, original, readable });
    }
  }
  return findings;
}
