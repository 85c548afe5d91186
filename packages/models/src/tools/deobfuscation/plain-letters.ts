import { isEnglish } from '@agonhq/engine/language';
import { decodePercent, isAddress } from './decode.ts';
import { readWhole, type Finding } from './finding.ts';
import { readLookAlikes } from './homoglyphs.ts';
import { hidden } from './invisible.ts';

/** A way to write letters as other characters. */
interface Manner {
  tool: string;
  plain: (text: string) => string;
}

const anyStrange = new RegExp(`[^\\x00-\\x7f]|&#|&[a-z]{2,8};|%[0-9a-f]{2}|\\\\[ux]|U\\+`, 'i');
/** In emoji they join, and say how to show it. */
const hiddenLetters = new RegExp(`(?<!\\p{Extended_Pictographic})[${hidden}]+(?!\\p{Extended_Pictographic})`, 'gu');
/** More than one upon a letter that has none, or one that no language writes. */
const marks = /(?<=[\p{Script=Latin}.,!?])(?:\p{M}{2,}|(?![\u0300-\u030c\u031b\u0323-\u0331])\p{M})/gu;
const entity = /&#(?:x[0-9a-f]{2,6}|\d{2,7});?|&(?:amp|lt|gt|quot|apos|nbsp|shy|zwj|zwnj);/gi;
const references = new RegExp(
  String.raw`${entity.source}|(?:\\u\{?|%u|U\+)0[0-7][0-9a-f]{2}\}?|(?:%[0-9a-f]{2})+|\\x[2-7][0-9a-f]`,
  'gi',
);
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const fewReferences = 3;
const maxRounds = 4;

/** Those that no other technique looks for. */
const ownManners = ['struck-letters', 'character-references'];

const manners: readonly Manner[] = [
  { tool: 'invisible-characters', plain: (text) => text.replace(hiddenLetters, '') },
  { tool: 'struck-letters', plain: (text) => (/\p{M}/u.test(text) ? text.normalize('NFC').replace(marks, '') : text) },
  { tool: 'character-references', plain: decodeReferences },
  { tool: 'homoglyphs', plain: readLookAlikes },
];

/** A text in plain letters, and by which manners it was not. */
export function toPlainLetters(text: string): { text: string; tools: string[] } {
  let plain = text;
  const tools = new Set<string>();
  for (let round = 0; round < maxRounds && anyStrange.test(plain); round += 1) {
    const before = plain;
    for (const manner of manners) {
      const next = manner.plain(plain);
      if (next !== plain) tools.add(manner.tool);
      plain = next;
    }
    if (plain === before) break;
  }
  return { text: plain, tools: [...tools] };
}

function decodeReferences(text: string): string {
  if ((text.match(references)?.length ?? 0) < fewReferences) return text;
  return text.replace(/\S+/g, (word) => word.replace(isAddress.test(word) ? entity : references, decodeReference));
}

function decodeReference(all: string): string {
  if (all.startsWith('%') && !/^%u/i.test(all)) return decodePercent(all) ?? all;
  const [, name] = /^&([a-z]+);$/i.exec(all) ?? [];
  if (name !== undefined) return named[name.toLowerCase()] ?? '';
  const [, digits = ''] = /([0-9a-f]{1,7})\}?;?$/i.exec(all) ?? [];
  const code = Number.parseInt(digits, /^&#\d/.test(all) ? 10 : 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\ufffd';
}

/**
 * Letters in two manners at once (`k\u200bіll`), of which each hides the other; and what in plain letters may be read
 * further.
 */
export function plainLetters(text: string): Finding[] {
  if (!anyStrange.test(text)) return [];
  const { text: plain, tools } = toPlainLetters(text);
  if (tools.length === 0) return [];
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const readable =
    (tools.length >= 2 || ownManners.includes(tools[0]!)) &&
    (plain.toLowerCase().match(/[a-z]{3,}/g) ?? []).some((word) => !words.has(word) && isEnglish(word));
  return [{ ...readWhole(tools.at(-1)!, text, plain, readable), inside: tools.slice(0, -1) }];
}
