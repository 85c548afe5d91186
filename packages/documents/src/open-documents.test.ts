import { describe, expect, test } from 'vitest';
import { withOriginals } from './open-documents.ts';
import { readDossier } from '@agonhq/core/app/read-files';

describe('the files of a dossier', () => {
  test('are kept under the hashes of their documents, with the type of what they hold', async () => {
    const files = [
      { name: 'sales.txt', bytes: Buffer.from('Sales grew.') },
      { name: 'sales.csv', bytes: Buffer.from('year,sales\n2024,4\n2023,3\n') },
    ];
    const read = await readDossier(files);
    const { dossier, originals } = withOriginals(read, files);
    expect(dossier).toEqual(read);
    expect(originals.map(({ hash, mediaType }) => [hash, mediaType])).toEqual([
      [read.documents[0]!.hash, 'text/plain'],
      [read.documents[1]!.hash, 'text/csv'],
    ]);
    expect(originals[0]!.data).toBe(files[0]!.bytes);
  });

  test('that are too large are left out, and their documents say so', async () => {
    const files = [
      { name: 'small.txt', bytes: Buffer.from('Sales grew.') },
      { name: 'large.txt', bytes: Buffer.from('Sales grew by far more than anybody thought.') },
    ];
    const { dossier, originals } = withOriginals(await readDossier(files), files, 20);
    expect(originals.map(({ hash }) => hash)).toEqual([dossier.documents[0]!.hash]);
    expect(dossier.documents.map(({ notes }) => notes.filter((note) => note.includes('not kept')).length)).toEqual([
      0, 1,
    ]);
  });
});
