import { AgonError } from '../../errors.ts';

/** What all uploads together have on disk while they are being answered. */
export interface Spool {
  /** Throws when there is no room for more. */
  take(bytes: number): void;
  give(bytes: number): void;
}

export function openSpool(mostBytes: number): Spool {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > mostBytes)
        throw new AgonError(
          'too-many-uploads',
          'Other uploads fill what there is room for.',
          'Come again in a moment, or send less at once.',
        );
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
