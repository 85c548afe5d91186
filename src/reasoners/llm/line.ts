import type { Permit } from './permit.ts';

/** Who waits for a permit, the first first. */
export type Line = Set<Waiting>;

export interface Waiting {
  tokens: number;
  admit(permit: Permit): void;
  refuse(reason: unknown): void;
}

/**
 * Stands at the end of the line until admitted; an abort leaves it at once with the signal's reason, which `left` is
 * told.
 */
export function enterLine(line: Line, tokens: number, signal: AbortSignal, left: () => void): Promise<Permit> {
  return new Promise((resolve, reject) => {
    const waiting: Waiting = {
      tokens,
      admit(permit) {
        signal.removeEventListener('abort', leave);
        resolve(permit);
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
