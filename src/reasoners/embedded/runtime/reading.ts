/** A word piece: where it stands in the text, in UTF-16 code units, and what it adds to each logit of its window. */
export interface ReadToken {
  start: number;
  end: number;
  /** By head, in the order of the reading's heads. */
  shares: Float32Array;
  /** How many tokens its window pools over: share × windowTokens is what a window of such tokens would score, less the bias. */
  windowTokens: number;
}

/** What one pass of a model says about a text. */
export interface Reading<Head extends string> {
  heads: readonly Head[];
  /** The highest of its windows, head by head. */
  logits: Record<Head, number>;
  /** Window by window, in the order of the text. */
  byWindow: readonly Record<Head, number>[];
  tokens: readonly ReadToken[];
  /** A window's logit is the sum of its tokens' shares and this. */
  biases: Record<Head, number>;
}

/** One value per head. */
export function byHead<Head extends string>(heads: readonly Head[], value: (index: number) => number): Record<Head, number> {
  return Object.fromEntries(heads.map((head, index) => [head, value(index)])) as Record<Head, number>;
}

/** The highest of several windows, head by head. */
export function highestOf<Head extends string>(heads: readonly Head[], windows: readonly Record<Head, number>[]): Record<Head, number> {
  return byHead(heads, (index) => Math.max(...windows.map((logits) => logits[heads[index]!])));
}

/** What a window's logits hold beyond its tokens' shares. */
export function biasesOf<Head extends string>(heads: readonly Head[], { logits, shares }: { logits: Float32Array; shares: Float32Array }): Record<Head, number> {
  return byHead(heads, (head) => {
    let bias = logits[head]!;
    for (let at = head; at < shares.length; at += heads.length) bias -= shares[at]!;
    return bias;
  });
}
