import { findMatches } from '@agonhq/engine/text';
import { isEnglish, isWord } from '@agonhq/engine/language';
import { type Finding, payload, type Replacement, rewrite } from './finding.ts';
import { isLanguage, utf8, reverse } from './known-words.ts';

/** Characters that no screen shows, as a class of a pattern. */
export const hidden =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2060-\\u2069\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0';
const anyHidden = new RegExp(`[A-Za-z][${hidden}]`);
const interrupted = new RegExp(`[A-Za-z]{1,24}(?:[${hidden}]{1,8}[A-Za-z]{1,24}){1,40}`, 'g');
const hiddenRun = new RegExp(`[${hidden}]+`);
const tags = /[\u{e0020}-\u{e007e}]{3,}/gu;
const flag = '\u{1f3f4}';
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/gu;
const override = /\u202e([^\u202a-\u202e\n]{3,400})/g;

/** Latin words broken up by characters without width; joiners, soft hyphens and break hints are typography. */
export function invisibleCharacters(text: string): Finding[] {
  if (!anyHidden.test(text)) return [];
  const replacements: Replacement[] = [];
  const rest: Replacement[] = [];
  for (const { 0: original, index } of findMatches(text, interrupted)) {
    const parts = original.split(hiddenRun);
    const by = parts.join('');
    const isHyphenated = /^[A-Za-z\u00ad]+$/.test(original);
    const isDisguise = isScattered(parts) || (!isHyphenated && isSplitWord(parts, by));
    (isDisguise ? replacements : rest).push({ start: index, end: index + original.length, by });
  }
  // Where words are broken up on purpose, the short ones among them are too.
  const all =
    replacements.length >= 2 ? replacements.concat(rest.filter(({ by }) => isWord(by.toLowerCase()))) : replacements;
  return rewrite('invisible-characters', text, all);
}

function isScattered(parts: readonly string[]): boolean {
  return parts.length >= 3 && parts.join('').length <= 2 * parts.length;
}

function isSplitWord(parts: readonly string[], whole: string): boolean {
  const joinsWords = parts.every((part) => part.length > 2 && isEnglish(part.toLowerCase()));
  return isEnglish(whole.toLowerCase()) && whole.length >= 3 && whole.length <= 4 * parts.length && !joinsWords;
}

/** Text in Unicode tag characters or variation selectors, which no screen shows and every model reads. */
export function smuggledText(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: original, index } of findMatches(text, tags)) {
    if (text.slice(index - flag.length, index) === flag) continue;
    const decoded = Array.from(original, (tag) => String.fromCodePoint(tag.codePointAt(0)! - 0xe0000)).join('');
    findings.push(unseen(payload('tag-characters', { original, start: index }, decoded, true)));
  }
  for (const { 0: original, index } of findMatches(text, selectors)) {
    const decoded = utf8(Uint8Array.from(Array.from(original), selectorByte));
    if (decoded !== null && isLanguage(decoded))
      findings.push(unseen(payload('variation-selectors', { original, start: index }, decoded, true)));
  }
  return findings;
}

/** It cannot be shown as it stands, and does not run into the words before it. */
function unseen(finding: Finding): Finding {
  return { ...finding, original: '', replaces: finding.replaces.map((place) => ({ ...place, by: ` ${place.by}` })) };
}

function selectorByte(selector: string): number {
  const code = selector.codePointAt(0)!;
  return code <= 0xfe0f ? code - 0xfe00 : code - 0xe0100 + 16;
}

/** Latin text that a right-to-left override shows backwards: what people see is not what is stored. */
export function directionOverrides(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: original, 1: stored, index } of findMatches(text, override)) {
    const shown = reverse(stored!).trim();
    if (/[A-Za-z]{2}/.test(shown))
      findings.push(payload('direction-override', { original, start: index }, shown, true));
  }
  return findings;
}
