/**
 * A regular expression that is written over several lines: line breaks and the indentation after them do not count,
 * all else does. Parts that patterns share are put in as text.
 *
 * @example const spent = pattern('i')`
 *   \b(?:cost|costs|spent)\s+
 *   (?:${amount})$`
 */
export function pattern(flags = ''): (parts: TemplateStringsArray, ...values: readonly string[]) => RegExp {
  return (parts, ...values) => new RegExp(patternPart(parts, ...values), flags);
}

/** A part of a pattern, written in the same way. */
export function patternPart({ raw }: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: raw.map((part) => part.replace(/\n\s*/g, '')) }, ...values);
}

/** What `matchAll` gives; where there is nothing, without the copy of the pattern that it makes each time. */
export function findMatches(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  return text.search(pattern) === -1 ? [] : text.matchAll(pattern);
}

/** The words of a list that is written over several lines. */
export function listWords(text: string): string[] {
  return text.trim().split(/\s+/);
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(listWords(text));
}

/**
 * A table by word, from the words that stand for each value.
 *
 * @example tableByWord([[1e3, 'k thousand']]) // { k: 1000, thousand: 1000 }
 */
export function tableByWord<Value>(rows: readonly (readonly [Value, string])[]): Record<string, Value> {
  return Object.fromEntries(rows.flatMap(([value, words]) => listWords(words).map((word) => [word, value])));
}
