/** Leave to make one call. */
export interface Permit {
  /** Gives the place back, and corrects the estimated tokens by those really used. */
  release(usedTokens?: number): void;
}

/** What a permit draws on, and gives back. */
interface Drawn {
  requests: { take(units: number): void } | null;
  tokens: { take(units: number): void; giveBack(units: number): void } | null;
  /** Its place is free again. */
  onRelease(): void;
}

/** Takes one request and the estimated tokens; released once, however often it is said. */
export function drawPermit(estimatedTokens: number, { requests, tokens, onRelease }: Drawn): Permit {
  requests?.take(1);
  tokens?.take(estimatedTokens);
  let released = false;
  return {
    release(usedTokens = estimatedTokens) {
      if (released) return;
      released = true;
      tokens?.giveBack(estimatedTokens - usedTokens);
      onRelease();
    },
  };
}
