/** What the guard scores, in the order of its outputs. */
export const guardHeads = ['content', 'request', 'post', 'reply', 'image', 'pair'] as const;
export type GuardHead = (typeof guardHeads)[number];

/** A word piece: where it stands in the text, in UTF-16 code units, and what it adds to each logit of its window. */
export interface GuardToken {
  start: number;
  end: number;
  /** By head, in the order of `guardHeads`. */
  shares: Float32Array;
  /** How many tokens its window has: share × windowTokens is what a window of such tokens would score, less the bias. */
  windowTokens: number;
}

/** What one pass of the guard says about a text. */
export interface GuardReading {
  /** The highest of its windows, head by head. */
  logits: Record<GuardHead, number>;
  /** Of length one. */
  embedding: Float32Array;
  tokens: readonly GuardToken[];
  /** A window's logit is the sum of its tokens' shares and this. */
  biases: Record<GuardHead, number>;
  windows: number;
}

/** One value per head. */
export function byHead(value: (index: number) => number): Record<GuardHead, number> {
  return Object.fromEntries(guardHeads.map((head, index) => [head, value(index)])) as Record<GuardHead, number>;
}
