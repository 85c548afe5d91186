/**
 * The word pieces of a text in columns, since readings are kept by the thousand: where each stands, in UTF-16 code
 * units, and what it adds to each logit of its window.
 */
export interface ReadTokens {
  length: number;
  starts: Uint32Array;
  ends: Uint32Array;
  /** Piece after piece, and of each by head, in the order of the reading's heads. */
  shares: Float32Array;
  /** How many tokens a window pools over: share × windowTokens is what it would score, less the bias. */
  windowTokens: Uint16Array;
}

/** Room for so many pieces, in one piece of memory. */
export function emptyTokens(length: number, heads: number): ReadTokens {
  const [starts, ends, windows] = [4 * heads * length, 4 * (heads + 1) * length, 4 * (heads + 2) * length];
  const room = new ArrayBuffer(windows + 2 * length);
  return {
    length,
    shares: new Float32Array(room, 0, heads * length),
    starts: new Uint32Array(room, starts, length),
    ends: new Uint32Array(room, ends, length),
    windowTokens: new Uint16Array(room, windows, length),
  };
}

/** What one pass of a model says about a text. */
export interface Reading<Head extends string> {
  heads: readonly Head[];
  /** The highest of its windows, head by head. */
  logits: Record<Head, number>;
  /** Window by window, in the order of the text. */
  byWindow: readonly Record<Head, number>[];
  tokens: ReadTokens;
  /** A window's logit is the sum of its tokens' shares and this. */
  biases: Record<Head, number>;
}

/** One value per head. */
export function byHead<Head extends string>(
  heads: readonly Head[],
  value: (index: number) => number,
): Record<Head, number> {
  return Object.fromEntries(heads.map((head, index) => [head, value(index)])) as Record<Head, number>;
}

/** The highest of several windows, head by head. */
export function highestOf<Head extends string>(
  heads: readonly Head[],
  windows: readonly Record<Head, number>[],
): Record<Head, number> {
  return byHead(heads, (index) => Math.max(...windows.map((logits) => logits[heads[index]!])));
}

/** What a window's logits hold beyond its tokens' shares. */
export function biasesOf<Head extends string>(
  heads: readonly Head[],
  { logits, shares }: { logits: Float32Array; shares: Float32Array },
): Record<Head, number> {
  return byHead(heads, (head) => {
    let bias = logits[head]!;
    for (let at = head; at < shares.length; at += heads.length) bias -= shares[at]!;
    return bias;
  });
}
