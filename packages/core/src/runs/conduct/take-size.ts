/** At most so many in hand that are not begun: of a worker that dies each is tried by itself. */
const most = 500;
/** So long what is taken at once should last. */
const lastsMs = { least: 100, most: 250 };

/**
 * How many items a worker takes at once: a quarter of what it judges at once, and more while they last a moment only.
 * Where an item takes minutes nobody has items that others could begin; where it takes a millisecond, few statements
 * do.
 */
export function createTakeSize(concurrency: number, now: () => number = () => performance.now()) {
  const least = Math.max(1, Math.ceil(concurrency / 4));
  let size = least;
  let full: { at: number } | null = null;
  return {
    /** How many to ask for now. */
    next(): number {
      if (full) {
        const lasted = now() - full.at;
        if (lasted < lastsMs.least) size = Math.min(most, 2 * size);
        else if (lasted > lastsMs.most) size = Math.max(least, Math.floor(size / 2));
        full = null;
      }
      return size;
    },
    /** So many came. */
    note(taken: number): void {
      full = taken === size ? { at: now() } : null;
    },
  };
}
