import { compress } from './pack-case.ts';

/*
 * Answers that one judge gives alone are alike but for a few values. A dictionary is what some answers of one set-up
 * say, without words of what was judged: it stays when these are forgotten.
 */

/** As far as a compressor looks back. */
const longestDictionary = 32 * 1024;
/** An answer that is like others takes a smaller part of its room beside these. */
const likeness = 8;

/** Members that hold words of the subject, or tell which it was. */
const tellingMembers = new Set(['subject', 'quote', 'evidence', 'text', 'note', 'inputHash', 'seal']);
/** Whatever it calls its members, all that is said of the subject's context is its own, but for what most say of it. */
const contextMember = 'context';
const usualContext = { author: '', thread: '', channel: '', language: '' };
const quotations = /“[^”]*”?/g;

/** As many letters in a row as nobody writes by chance. */
const told = 16;

/**
 * A dictionary with what is new in an answer; the same one where little is, or where it would repeat what somebody
 * wrote. `texts` are those that were judged, and what was told of them.
 */
export function extendDictionary(dictionary: Uint8Array, answer: object, texts: readonly string[]): Uint8Array {
  // Later cases may have a context although this one has none.
  const common = JSON.stringify(leaveOutWords({ ...answer, id: '', [contextMember]: {} }, texts));
  const isKnown = compress(common, dictionary).length * likeness <= common.length;
  const longer = Buffer.concat([Buffer.from(common), dictionary]);
  return isKnown || longer.length > longestDictionary || repeatsText(common, texts) ? dictionary : longer;
}

function leaveOutWords(value: unknown, texts: readonly string[], isTelling = false): unknown {
  if (typeof value === 'string')
    return isTelling || texts.some((text) => text.includes(value)) ? '' : value.replaceAll(quotations, '“”');
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member) => leaveOutWords(member, texts, isTelling));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      name === contextMember ? usualContext : leaveOutWords(member, texts, isTelling || tellingMembers.has(name)),
    ]),
  );
}

function repeatsText(written: string, texts: readonly string[]): boolean {
  for (let start = 0; start + told <= written.length; start += 1) {
    const some = written.slice(start, start + told);
    if (texts.some((text) => text.includes(some))) return true;
  }
  return false;
}

/** All texts of a content or a context. */
export function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
