import { findMatches } from '@agonhq/engine/text';
import { type Finding, payload } from './finding.ts';
import { isLanguage, utf8 } from './known-words.ts';

const bits = /(?<![\w.])[01]{8}(?:[ ,]{0,2}[01]{8}){2,}(?![\w.])/g;
const decimals = /(?<![\w.])\d{2,3}(?:(?:, ?| )\d{2,3}){4,}(?![\w.])/g;
const base32Runs = /(?<![\w=])[A-Z2-7]{16,}={0,6}(?![\w=])/g;
const morseRuns = /(?<!\S)[.\-·–−]{1,6}(?:[ /|]{1,3}[.\-·–−]{1,6}){3,}(?:\s*[/|])?(?!\S)/g;
const maxLength = 65_536;

/** Text as numbers or signals: binary (`01101011 01101001 …`), character codes (`107 105 …`), base32, Morse. */
export function characterCodes(text: string): Finding[] {
  return [
    ...decodeRuns('binary', text, bits, (run) => bytesToText(run.match(/[01]{8}/g)!, 2)),
    ...decodeRuns('character-codes', text, decimals, (run) => bytesToText(run.match(/\d+/g)!, 10)),
    ...decodeRuns('base32', text, base32Runs, decodeBase32),
    ...decodeRuns('morse', text, morseRuns, decodeMorse),
  ];
}

function decodeRuns(tool: string, text: string, pattern: RegExp, decode: (run: string) => string | null): Finding[] {
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
