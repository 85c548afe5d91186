import type { Range } from '@agonhq/engine/evidence';

/** Something hidden that a technique brought to light. */
export interface Finding {
  tool: string;
  /** What was undone before, outermost first, where one was not enough. */
  inside?: readonly string[];
  /** The decoded text. */
  text: string;
  /** The place in the text that was searched, as it stood there. */
  original: string;
  /** What must be put in which place so that the text that was searched reads plainly; none where it does already. */
  replaces: readonly Replacement[];
  /** False for what is no language yet, but may hold another payload. */
  readable: boolean;
}

/** Searches a text for one kind of disguise. */
export type Technique = (text: string) => Finding[];

/** A place in a text and what it should read. */
export interface Replacement extends Range {
  by: string;
}

const reach = 120;
const maxPassages = 12;

/** One payload in its place. */
export function payload(
  tool: string,
  place: { original: string; start: number },
  text: string,
  readable: boolean,
): Finding {
  const { original, start } = place;
  return { tool, text, original, replaces: [{ start, end: start + original.length, by: text }], readable };
}

/** All of a text, read as something else. */
export function readWhole(tool: string, text: string, by: string, readable = true): Finding {
  return { tool, text: by, original: text, replaces: [{ start: 0, end: text.length, by }], readable };
}

/** The passages around some replacements, rewritten: what a reader needs to see of a disguised text. */
export function rewrite(tool: string, text: string, found: readonly Replacement[]): Finding[] {
  const replacements = found.toSorted((a, b) => a.start - b.start);
  const passages: { range: Range; replacements: Replacement[] }[] = [];
  for (const replacement of replacements) {
    const last = passages.at(-1);
    const range = surroundings(text, replacement);
    if (last && range.start <= last.range.end) {
      last.range.end = Math.max(last.range.end, range.end);
      last.replacements.push(replacement);
    } else if (passages.length < maxPassages) {
      passages.push({ range, replacements: [replacement] });
    } else break;
  }
  if (passages.length === 0) return [];
  const decoded = passages.map((passage) => applied(text, passage.range, passage.replacements)).join('\n');
  const { start } = passages[0]!.replacements[0]!;
  const original = text.slice(start, passages[0]!.replacements.at(-1)!.end);
  return [{ tool, text: decoded, original, replaces: replacements, readable: true }];
}

/** The line around a range, or as much of it as is near, cut between words. */
function surroundings(text: string, { start, end }: Range): Range {
  const before = text.slice(Math.max(0, start - reach), start);
  const after = text.slice(end, end + reach);
  const lineStart = before.lastIndexOf('\n') + 1;
  const lineEnd = after.indexOf('\n');
  const cutBefore = lineStart > 0 || before.length < reach ? lineStart : before.search(/\s/) + 1;
  const cutAfter = lineEnd >= 0 ? lineEnd : after.length < reach ? after.length : after.search(/\s\S*$/);
  return { start: start - before.length + cutBefore, end: cutAfter >= 0 ? end + cutAfter : end };
}

/** A stretch of a text with what replaces some places in it, in their order. */
export function applied(text: string, range: Range, replacements: readonly Replacement[]): string {
  let decoded = '';
  let at = range.start;
  for (const { start, end, by } of replacements) {
    decoded += text.slice(at, start) + by;
    at = end;
  }
  return (decoded + text.slice(at, range.end)).trim();
}
