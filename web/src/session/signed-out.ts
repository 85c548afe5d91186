/* Told by whoever is refused, heard by the shell, which shows the sign-in. */

const listeners = new Set<() => void>();

export function announceSignOut(): void {
  for (const listener of listeners) listener();
}

export function onSignOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
