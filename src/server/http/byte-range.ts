/** A stretch of bytes: from `start` up to, and without, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range that a request asks for. Null where it asks for all, for several, for none that there is, or in words
 * of its own: then it gets all.
 */
export function byteRangeOf({ headers }: Pick<Request, 'headers'>, length: number): ByteRange | null {
  // Nothing here says which version a range was of: whoever insists on one gets all.
  if (headers.has('if-range')) return null;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  return start < end ? { start, end } : null;
}
