import { createStore, readStored, writeStored } from '../browser-storage.ts';

/* What may hurt to see or hear is covered until somebody asks for it, each time anew. */

const covers = createStore(readStored('cover-media') !== 'off');

/** Whether images and films are blurred, and sound is off, until asked for: unless somebody chose otherwise. */
export const useCovers = covers.useState;

export function setCovers(next: boolean): void {
  writeStored('cover-media', next ? null : 'off');
  covers.set(next);
}

/** How a case is looked at and listened to. Null: as the person usually wants it. */
export interface Viewing {
  revealed?: boolean | undefined;
  onReveal?: ((revealed: boolean) => void) | undefined;
  sounding?: boolean | undefined;
  onSound?: ((sounding: boolean) => void) | undefined;
}
