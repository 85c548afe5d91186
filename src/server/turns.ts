/** A few work at once, the others wait: first come, first served. */
export interface Turns {
  /** Whether whoever comes now has to wait. */
  readonly full: boolean;
  /** Resolves with what ends the turn; rejects when the signal aborts first. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function openTurns(places: number): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function end(): void {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  }

  function once(): () => void {
    let over = false;
    return () => {
      if (over) return;
      over = true;
      end();
    };
  }

  return {
    get full() {
      return taken >= places;
    },
    async take(signal) {
      signal.throwIfAborted();
      if (taken < places) {
        taken += 1;
        return once();
      }
      const turn = Promise.withResolvers<void>();
      const leave = () => {
        const place = waiting.indexOf(turn.resolve);
        if (place < 0) return;
        waiting.splice(place, 1);
        turn.reject(signal.reason);
      };
      waiting.push(turn.resolve);
      signal.addEventListener('abort', leave, { once: true });
      try {
        await turn.promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
      return once();
    },
  };
}
