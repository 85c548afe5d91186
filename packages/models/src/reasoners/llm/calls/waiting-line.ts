/** Leave to make one call. */
export interface CallSlot {
  /** Gives the place back, and corrects the estimated tokens by those really used. */
  release(usedTokens?: number): void;
}

/** What a slot draws on, and gives back. */
interface SlotSource {
  requests: { take(units: number): void } | null;
  tokens: { take(units: number): void; giveBack(units: number): void } | null;
  /** Its place is free again. */
  onRelease(): void;
}

/** Takes one request and the estimated tokens; released once, however often it is said. */
export function takeSlot(estimatedTokens: number, { requests, tokens, onRelease }: SlotSource): CallSlot {
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

/** Who waits for a slot, the first first. */
export type WaitingLine = Set<WaitingCall>;

interface WaitingCall {
  tokens: number;
  admit(slot: CallSlot): void;
  refuse(reason: unknown): void;
}

/** Stands at the end of the line until admitted; an abort leaves it at once, which `left` is told. */
export function joinLine(line: WaitingLine, tokens: number, signal: AbortSignal, left: () => void): Promise<CallSlot> {
  return new Promise((resolve, reject) => {
    const waiting: WaitingCall = {
      tokens,
      admit(slot) {
        signal.removeEventListener('abort', leave);
        resolve(slot);
      },
      refuse(reason) {
        signal.removeEventListener('abort', leave);
        reject(reason);
      },
    };
    const leave = () => {
      line.delete(waiting);
      reject(signal.reason);
      left();
    };
    signal.addEventListener('abort', leave, { once: true });
    line.add(waiting);
  });
}
