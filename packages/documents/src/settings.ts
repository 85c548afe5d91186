import { z } from 'zod';
import { setting } from '@agonhq/engine/setting';
import type { IngestLimits } from './ingest/index.ts';
import { documentMethods } from './plan.ts';

/** The block `documents` of the settings. */
export const documentsSettings = z.strictObject({
  preset: setting(z.enum(['paper']), {
    help: 'gpt-4-turbo in every seat that is not named',
    flag: '--preset <name>',
    flagHelp: 'paper: models of the paper',
  }),
  method: setting(z.enum(documentMethods), {
    help: 'how to judge claims',
    default: 'debate',
    flag: '--method <name>',
    commands: ['judge', 'run'],
  }),
  maxFactors: setting(z.int().min(1).max(200), {
    help: 'most claims that are debated; all are checked, and your own all debated',
    default: '12',
    flag: '--max-factors <n>',
    flagHelp: 'debate at most this many claims; all are checked',
    commands: ['judge', 'run'],
  }),
  retrieved: setting(z.int().min(1).max(100), {
    help: 'blocks that a debate reads of documents that are not shown whole',
    default: '16',
    flag: '--retrieved <n>',
    flagHelp: 'blocks of the documents that each debate reads',
  }),
  concurrency: setting(z.int().min(1).max(100), {
    help: 'claims to debate at once',
    default: '4',
    flag: '--concurrency <n>',
    commands: ['judge'],
  }),
  ocr: setting(z.boolean(), {
    help: 'whether text in images and scanned pages is read',
    default: 'true',
    flag: '--no-ocr',
    flagHelp: 'do not read text in images and scanned pages',
  }),
  keepOriginals: setting(z.boolean(), {
    help: 'whether the ledger keeps the files themselves, up to 100 MB each',
    default: 'true',
  }),
  maxCharacters: setting(z.int().min(1), {
    help: 'longest documents, all files together',
    default: '2,000,000; 20,000,000 when every seat is embedded',
  }),
  limits: z
    .strictObject({
      bytes: setting(z.int().min(1), {
        help: 'largest file, of whatever kind',
        default: '200,000,000; 50,000,000 of text files other than CSV',
      }),
      pages: setting(z.int().min(1), {
        help: 'longest PDF',
        default: '3,000',
      }),
      rows: setting(z.int().min(1), {
        help: 'longest table',
        default: '2,000,000',
      }),
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
