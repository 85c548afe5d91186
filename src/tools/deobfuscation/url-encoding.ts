import { isLanguage } from './readable.ts';
import type { Finding } from './finding.ts';

const encodedLetter = /%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi;
const maxLength = 65_536;

/**
 * Percent-encoding that hides text: letters that no encoder needs to encode, or whole sentences outside an address.
 * Addresses are encoded as a matter of course and are not reported for it.
 */
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
