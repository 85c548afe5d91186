/* What this browser remembers: choices of a person, never content that was judged. */

/** Null where there is nothing, or no storage. */
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
