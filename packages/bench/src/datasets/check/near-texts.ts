/*
 * Texts that are nearly the same: eight in ten of their runs of eight words are the same, or a word or two in ten or
 * more was changed, put in or left out. Candidates are found by MinHash over the runs, and by the part of three that
 * two changed words must leave alone; each is then held against the text itself.
 */

/** A text that was put in, and how much of it is the same. */
export interface NearText {
  key: number;
  similarity: number;
}

export interface NearTexts {
  /** `key` is what it is found by. */
  add(words: readonly string[], key: number): void;
  /**
   * What is nearly the same as these words, the most alike first; what is quite the same is among it. With `most`,
   * the first so many that are found.
   */
  find(words: readonly string[], most?: number): NearText[];
  readonly size: number;
}

const runLength = 8;
const leastShared = 0.8;
const mostEdits = 2;
const mostEditedShare = 0.2;
const parts = mostEdits + 1;
const bands = 8;
const rows = 4;
/** Texts that share a part with very many others are no copies but made after one pattern. */
const mostCandidates = 64;

interface Kept {
  /** Its words with a space between them: a list of them would take several times the room. */
  text: string;
  key: number;
}

export function indexNearTexts(): NearTexts {
  const kept: Kept[] = [];
  const [byPart, byBand, runs] = [hashTable(), hashTable(), hashBits()];
  const lengths = new Set<number>();

  /** Whether so many of its runs are known as a text that is nearly the same would have. */
  const mayShareRuns = (words: readonly string[]): boolean => {
    const prefix = prefixHashes(words);
    const all = words.length - runLength + 1;
    const unknown = new Set<number>();
    for (let start = 0; start < all; start += 1) {
      const run = windowHash(prefix, start, runLength);
      if (runs.has(run)) continue;
      unknown.add(run);
      if (unknown.size > all * (1 - leastShared)) return false;
    }
    return all > 0;
  };

  return {
    get size() {
      return kept.length;
    },
    add(words, key) {
      if (words.length === 0) return;
      const index = kept.push({ text: words.join(' '), key }) - 1;
      lengths.add(words.length);
      const prefix = prefixHashes(words);
      for (const { start, length, slot } of partsOf(words.length))
        byPart.put(windowHash(prefix, start, length), slot, index);
      if (words.length < runLength) return;
      for (let start = 0; start + runLength <= words.length; start += 1) runs.add(windowHash(prefix, start, runLength));
      for (const [band, hash] of bandsOf(words).entries()) byBand.put(hash, band, index);
    },
    find(words, most = Number.POSITIVE_INFINITY) {
      if (words.length === 0) return [];
      const candidates = new Set<number>();
      const prefix = prefixHashes(words);
      for (let length = Math.max(1, words.length - mostEdits); length <= words.length + mostEdits; length += 1) {
        if (!lengths.has(length)) continue;
        for (const part of partsOf(length)) {
          for (
            let start = Math.max(0, part.start - mostEdits);
            start <= Math.min(part.start + mostEdits, words.length - part.length);
            start += 1
          ) {
            byPart.take(windowHash(prefix, start, part.length), part.slot, candidates);
          }
        }
      }
      if (mayShareRuns(words)) for (const [band, hash] of bandsOf(words).entries()) byBand.take(hash, band, candidates);
      const found: NearText[] = [];
      for (const index of candidates) {
        const similarity = likenessOf(words, kept[index]!.text.split(' '));
        if (similarity !== null) found.push({ key: kept[index]!.key, similarity });
        if (found.length >= most) break;
      }
      return found.toSorted((a, b) => b.similarity - a.similarity || a.key - b.key);
    },
  };
}

/** Which texts have a hash in a slot. Most that are looked for are in none, which a bit says sooner than a table. */
function hashTable(): {
  put(hash: number, slot: number, index: number): void;
  take(hash: number, slot: number, into: Set<number>): void;
} {
  const bits = hashBits();
  const table = new Map<number, number[]>();
  const mixed = (hash: number, slot: number) => hash ^ Math.imul(slot + 1, 0x9e3779b1);
  return {
    put(hash, slot, index) {
      bits.add(mixed(hash, slot));
      const there = table.get(keyed(hash, slot));
      if (!there) table.set(keyed(hash, slot), [index]);
      else if (there.length < mostCandidates) there.push(index);
    },
    take(hash, slot, into) {
      if (!bits.has(mixed(hash, slot))) return;
      for (const index of table.get(keyed(hash, slot)) ?? []) into.add(index);
    },
  };
}

/** Which hashes may have been put in: never one too few. */
function hashBits(): { add(hash: number): void; has(hash: number): boolean } {
  const bits = new Uint8Array(1 << 20);
  return {
    add(hash) {
      bits[hash >>> 12]! |= 1 << ((hash >>> 9) & 7);
    },
    has: (hash) => (bits[hash >>> 12]! & (1 << ((hash >>> 9) & 7))) !== 0,
  };
}

/** How much of two texts is the same, 0.8 to 1; null when they are not nearly the same. */
export function likenessOf(one: readonly string[], other: readonly string[]): number | null {
  const longer = Math.max(one.length, other.length);
  const edits = editsBetween(one, other, Math.min(mostEdits, Math.floor(longer * mostEditedShare)));
  const byEdits = edits === null ? 0 : 1 - edits / longer;
  const byRuns = sharedRuns(one, other);
  return byEdits > 0 || byRuns >= leastShared ? Math.max(byEdits, byRuns) : null;
}

/** The Jaccard similarity of their runs of eight words; 0 where one of them has none. */
function sharedRuns(one: readonly string[], other: readonly string[]): number {
  if (one.length < runLength || other.length < runLength) return 0;
  const [first, second] = [runsOf(one), runsOf(other)];
  let shared = 0;
  for (const run of first) if (second.has(run)) shared += 1;
  return shared / (first.size + second.size - shared);
}

function runsOf(words: readonly string[]): Set<string> {
  return new Set(
    Array.from({ length: words.length - runLength + 1 }, (_, start) => words.slice(start, start + runLength).join(' ')),
  );
}

/** Words to change, put in or leave out until one text is the other; null when it takes more than `most`. */
function editsBetween(one: readonly string[], other: readonly string[], most: number): number | null {
  if (Math.abs(one.length - other.length) > most) return null;
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let [end, otherEnd] = [one.length, other.length];
  while (end > start && otherEnd > start && one[end - 1] === other[otherEnd - 1]) {
    end -= 1;
    otherEnd -= 1;
  }
  let row = Array.from({ length: otherEnd - start + 1 }, (_, index) => index);
  for (let at = start; at < end; at += 1) {
    const next = [row[0]! + 1];
    for (let column = 1; column < row.length; column += 1) {
      next[column] = Math.min(
        row[column]! + 1,
        next[column - 1]! + 1,
        row[column - 1]! + (one[at] === other[start + column - 1] ? 0 : 1),
      );
    }
    if (Math.min(...next) > most) return null;
    row = next;
  }
  return row.at(-1)! <= most ? row.at(-1)! : null;
}

interface Part {
  start: number;
  length: number;
  slot: number;
}

const partsByLength: Part[][] = [];

/** A text of so many words in three parts: of two changes one part at least is left alone. */
function partsOf(length: number): readonly Part[] {
  const known = partsByLength[length];
  if (known) return known;
  const bounds = Array.from({ length: parts + 1 }, (_, part) => Math.floor((length * part) / parts));
  const made = bounds
    .slice(1)
    .flatMap((end, part) =>
      end > bounds[part]! ? [{ start: bounds[part]!, length: end - bounds[part]!, slot: length * parts + part }] : [],
    );
  if (length < 2_000) partsByLength[length] = made;
  return made;
}

const base = 1_000_003;

/** A text is held against several sources one after another: what was computed of the last one is kept. */
function keptForLast<Result>(compute: (words: readonly string[]) => Result): (words: readonly string[]) => Result {
  let last: { words: readonly string[]; result: Result } | null = null;
  return (words) => {
    if (last?.words !== words) last = { words, result: compute(words) };
    return last.result;
  };
}

/** Hashes of all beginnings of a text, from which that of any stretch follows. */
export const prefixHashes = keptForLast((words): { sums: Int32Array; powers: Int32Array } => {
  const sums = new Int32Array(words.length + 1);
  const powers = new Int32Array(words.length + 1);
  powers[0] = 1;
  for (const [index, word] of words.entries()) {
    sums[index + 1] = (Math.imul(sums[index]!, base) + wordHash(word)) | 0;
    powers[index + 1] = Math.imul(powers[index]!, base);
  }
  return { sums, powers };
});

export function windowHash(
  { sums, powers }: { sums: Int32Array; powers: Int32Array },
  start: number,
  length: number,
): number {
  return (sums[start + length]! - Math.imul(sums[start]!, powers[length]!)) | 0;
}

function keyed(hash: number, slot: number): number {
  return (hash >>> 0) * 0x100000 + (slot % 0x100000);
}

/** FNV-1a. */
function wordHash(text: string): number {
  let hashed = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hashed = Math.imul(hashed ^ text.charCodeAt(index), 0x01000193);
  return hashed | 0;
}

/** The least of the runs' hashes under as many orders as there are rows, folded band by band. */
const bandsOf = keptForLast((words): number[] => {
  const prefix = prefixHashes(words);
  const least = new Uint32Array(bands * rows).fill(0xffffffff);
  for (let start = 0; start + runLength <= words.length; start += 1) {
    const run = windowHash(prefix, start, runLength);
    for (let order = 0; order < least.length; order += 1) {
      const mixed = mix(run, order);
      if (mixed < least[order]!) least[order] = mixed;
    }
  }
  return Array.from({ length: bands }, (_, band) => {
    let folded = 0;
    for (let row = 0; row < rows; row += 1) folded = Math.imul(folded ^ least[band * rows + row]!, 0x01000193) + row;
    return folded;
  });
});

/** Another order of all hashes for each number. */
function mix(value: number, order: number): number {
  let mixed = Math.imul(value ^ Math.imul(order + 1, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
