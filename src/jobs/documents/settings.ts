import { z } from 'zod';
import type { IngestLimits } from './ingest/index.ts';
import { documentMethods } from './plan.ts';

/** The block `documents` of the settings. */
export const documentsSettings = z.strictObject({
  preset: z.enum(['paper']).optional(),
  method: z.enum(documentMethods).optional(),
  /** At most so many claims of a dossier are debated. */
  maxFactors: z.int().min(1).max(200).optional(),
  /** Blocks that a debate sees of the dossier. */
  retrieved: z.int().min(1).max(100).optional(),
  /** Claims debated at once. */
  concurrency: z.int().min(1).max(100).optional(),
  ocr: z.boolean().optional(),
  /** The files themselves are kept beside the analysis, where there is a ledger. */
  keepOriginals: z.boolean().optional(),
  maxCharacters: z.int().min(1).optional(),
  limits: z
    .strictObject({
      bytes: z.int().min(1).optional(),
      pages: z.int().min(1).optional(),
      rows: z.int().min(1).optional(),
    })
    .optional(),
});

export type DocumentsSettings = z.output<typeof documentsSettings>;

/** The limits of reading that are set; `bytes` holds for files of every kind. */
export function limitsFrom({
  bytes,
  pages,
  rows,
}: NonNullable<DocumentsSettings['limits']> = {}): Partial<IngestLimits> {
  return {
    ...(bytes ? { fileBytes: bytes, textBytes: bytes } : {}),
    ...(pages ? { pages } : {}),
    ...(rows ? { tableRows: rows } : {}),
  };
}
