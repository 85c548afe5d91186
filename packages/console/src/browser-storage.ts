import { useSyncExternalStore } from 'react';

/* What a page keeps beside React: in memory, or as long as this browser remembers it. */

/** State that lives as long as the page, wherever it is shown. */
export function createStore<State>(initial: State) {
  let state = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => state,
    set(next: State) {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe,
    useState: () =>
      useSyncExternalStore(
        subscribe,
        () => state,
        () => state,
      ),
  };
}

/** Choices of a person, never content that was judged. Null where there is nothing, or no storage. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`agon.${name}`);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`agon.${name}`);
    else localStorage.setItem(`agon.${name}`, value);
  } catch {
    // A browser without storage forgets, and works.
  }
}
