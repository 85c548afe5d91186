import { z } from 'zod';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import type { JobItems, StoredFile } from '../job.ts';
import {
  assertNoLocalFiles,
  identified,
  namedBy,
  oneOrMore,
  parseItem,
  parseStored,
  readStoredBytes,
  storedFileSchema,
} from '../stored-items.ts';
import type { Documents } from './open-documents.ts';
import type { AnalyzeOptions } from './setup.ts';

const itemSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { file: value } : value),
  identified.extend({ file: oneOrMore, files: oneOrMore, claims: oneOrMore }),
);

const storedSchema = z.strictObject({
  id: z.string().optional(),
  files: z.array(storedFileSchema).min(1),
  /** The user's own claims, instead of those that the documents make. */
  claims: z.array(z.string()).optional(),
});

const hint = 'An item has a "file" or "files" that belong together, and may have an "id" and "claims".';

/** How files that are analysed together are written in files of items. */
export const documentItems: JobItems<Documents, AnalyzeOptions> = {
  fields: ['id', 'label', 'file', 'files', 'claims'],
  parts: [['file'], ['files']],
  lists: ['files', 'claims'],
  example: '{"id":"1","file":"report.pdf"}',
  files: 'document',
  bareText: true,
  readLabel: (label) => label,

  async readItem(value, keepFile) {
    const { id, file, files: more, claims } = parseItem(itemSchema, value, hint);
    const paths = [...(file ?? []), ...(more ?? [])].filter((one) => one.trim() !== '');
    if (paths.length === 0) throw new AgonError('broken-line', 'The item names no file.', hint);
    const stored: StoredFile[] = [];
    for (const one of paths) stored.push(await keepFile(one));
    const dossier = { files: stored, ...(claims && claims.length > 0 ? { claims } : {}) };
    return { ...namedBy(id), input: { ...namedBy(id), ...dossier }, hash: hashOf(dossier) };
  },

  async openItem(stored, files) {
    const { files: named, claims } = parseStored(storedSchema, stored);
    assertNoLocalFiles(named, files);
    const opened = named.map(async (file) =>
      'file' in file ? file.file : { name: file.name, bytes: await readStoredBytes(file.attachment, file.name, files) },
    );
    return { input: await Promise.all(opened), options: claims ? { factors: claims } : {} };
  },
};
