import type { Agon } from '../app/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { FilesBelow } from './files-below.ts';

/** How content is judged, where an assistant says it. */
export const methods = ['debate', 'guard'] as const;
export type Method = (typeof methods)[number];

/** What the tools work with. */
export interface Chamber {
  /** The Agon that judges: as configured, or by a method. */
  agon(method?: Method): Promise<Agon>;
  /** Null when nothing is kept on record. */
  ledger: Ledger | null;
  /** Null unless a folder was opened to assistants. */
  files: FilesBelow | null;
}
