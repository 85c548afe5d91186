import { afterAll, describe, expect, test } from 'vitest';
import { pdfBomb } from '@agonhq/test/support/contract/pdf-bomb.ts';
import { writeLetters } from '@agonhq/test/support/write-letters.ts';
import { openDocumentReaders } from './document-readers.ts';

const readers = openDocumentReaders();
afterAll(() => readers.close());

const named = (name: string, content: string | Buffer) => [{ name, bytes: Buffer.from(content) }];
const note = 'Revenue grew to 120 million in 2024 from 100 million in 2023.';

describe('the readers of a server', { timeout: 120_000 }, () => {
  test('read what is large, and what has to be looked at, with more memory than other files', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `${index % 9},${index % 7}`);
    const [table, image, text] = await Promise.all([
      readers.readFiles(named('table.csv', `Orders,Returns\n${rows.join('\n')}\n`), {}),
      readers.readFiles(named('scan.png', await writeLetters(['KILL THEM', 'ALL THE MEN']).png().toBuffer()), {}),
      readers.readFiles(named('note.md', note), {}),
    ]);
    expect(table.documents[0]!.text).toContain('60,000');
    expect(image.documents[0]!.text).toContain('KILL THEM');
    expect(text.documents[0]!.text).toContain(note);
  });

  test('refuse what is beyond the limits of the settings with the words of the settings', async () => {
    const rows = named('table.csv', `Orders\n${'1\n'.repeat(20)}`);
    await expect(readers.readFiles(rows, { limits: { rows: 10 } })).rejects.toMatchObject({
      code: 'document-too-large',
      message: expect.stringContaining('the limit is 10'),
    });
  });

  test('go on when one of them was killed, and let those go who wait no more', async () => {
    const stop = new AbortController();
    const bombs = Array.from({ length: 2 }, () =>
      readers.readFiles(named('bomb.pdf', pdfBomb()), { signal: stop.signal }),
    );
    const waiting = readers.readFiles(named('note.md', note), { signal: AbortSignal.abort(new Error('gone')) });
    const patient = readers.readFiles(named('note.md', note), {});
    await expect(waiting).rejects.toThrow('gone');
    stop.abort(new Error('enough'));
    for (const bomb of bombs) await expect(bomb).rejects.toThrow('enough');
    expect((await patient).documents).toHaveLength(1);
  });
});
