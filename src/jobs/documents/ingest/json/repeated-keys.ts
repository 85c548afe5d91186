const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gu;

/** Keys that an object of a sound JSON text has more than once: parsers keep the last value, and lose the others. */
export function findRepeatedKeys(text: string): Set<string> {
  const repeated = new Set<string>();
  /** The keys of the objects around this place; null for a list. */
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [found] of text.matchAll(token)) {
    if (found === '{') open.push(new Set());
    else if (found === '[') open.push(null);
    else if (found === '}' || found === ']') open.pop();
    else if (found === ':') {
      const keys = open.at(-1);
      if (keys?.has(last)) repeated.add(JSON.parse(last) as string);
      keys?.add(last);
    }
    last = found;
  }
  return repeated;
}
