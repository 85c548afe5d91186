import { useSyncExternalStore } from 'react';
import { writeStored, readStored } from '../kept.ts';
import { useSelf } from './self.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export interface Reviewer {
  /** In whose name decisions are made; null until somebody said it. */
  name: string | null;
  /** The key says it: it cannot be changed here. */
  fixed: boolean;
  /** What requests carry: nothing where the key says it. */
  by: { by?: string };
  rename(name: string): void;
}

/** Who reviews: the key's reviewer, or, where no keys are needed, who they say they are. */
export function useReviewer(): Reviewer {
  const { key } = useSelf();
  const own = useSyncExternalStore(subscribe, () => readStored('reviewer'));
  const rename = (name: string) => {
    writeStored('reviewer', name.trim());
    for (const listener of listeners) listener();
  };
  if (key) return { name: key.reviewer ?? key.name, fixed: true, by: {}, rename };
  return { name: own || null, fixed: false, by: own ? { by: own } : {}, rename };
}
