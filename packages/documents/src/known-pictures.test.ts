import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import { drawPicture } from '@agonhq/test/support/draw-picture.ts';
import { createAgon, openDocumentReaders } from '@agonhq/core/app';
import { sha256 } from '@agonhq/engine/hash';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { fingerprintImage } from '@agonhq/models/senses';
import { documentsJob } from './index.ts';

/* A picture of a list inside a document: nothing of the document is read or kept. */

let folder: string;
let ledger: Ledger;
let picture: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-pictures-'));
  ledger = await openLedger({ file: path.join(folder, 'ledger.sqlite') });
  const original = await drawPicture(1).png().toBuffer();
  await writeFile(path.join(folder, 'stop.txt'), `${(await fingerprintImage(original))!.pdq} a label\n`);
  picture = await drawPicture(1).resize(400).jpeg({ quality: 60 }).toBuffer();
});
afterAll(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

const words = 'Revenue grew by 4 % to 12 million in 2024.';
const files = {
  'report.pdf': () =>
    drawnPdf((pdf) => {
      pdf.text(words);
      pdf.addPage().image(picture, 100, 200, { width: 300 });
    }),
  'scan.pdf': () => drawnPdf((pdf) => void pdf.image(picture, 0, 0, { width: 612, height: 792 })),
  'scan.jpg': async () => picture,
  'page.html': async () =>
    Buffer.from(`<html><p>${words}</p><img src="data:image/jpeg;base64,${picture.toString('base64')}"></html>`),
  'report.docx': async () =>
    zipSync({ 'word/document.xml': Buffer.from('<w:document/>'), 'word/media/image1.jpeg': picture }),
} satisfies Record<string, () => Promise<Uint8Array>>;

async function judge(name: string, bytes: Uint8Array, readFiles?: ReturnType<typeof openDocumentReaders>['readFiles']) {
  const settings = { knownImages: [path.join(folder, 'stop.txt')] };
  const parts = { environment: {}, secret: 'test', ledger, only: ['documents'], ...(readFiles ? { readFiles } : {}) };
  const agon = await createAgon(settings, parts);
  const trial = agon.judge(documentsJob, [{ name, bytes }], {});
  for (let next = await trial.next(); ; next = await trial.next()) if (next.done) return next.value;
}

describe('a document with a picture of a list', () => {
  test.each(Object.entries(files))('is refused and queued: %s', async (name, make) => {
    const bytes = await make();
    await expect(judge(name, bytes)).rejects.toMatchObject({
      code: 'known-image',
      message: expect.stringMatching(/^\S+\.\w+.* is on the list stop of known images\.$/),
    });
    const { rows } = await ledger.knownImages.listFound({});
    expect(rows).toContainEqual(
      expect.objectContaining({ case: null, file: sha256(bytes), image: expect.stringContaining(name) }),
    );
    expect(await ledger.attachments.findAttachment(sha256(bytes))).toBeUndefined();
  });

  test('is refused by a reader in a process of its own, which goes on reading', async () => {
    const reader = openDocumentReaders();
    try {
      await expect(judge('report.pdf', await files['report.pdf'](), reader.readFiles)).rejects.toMatchObject({
        code: 'known-image',
      });
      const other = await drawnPdf((pdf) => {
        pdf.text(words);
      });
      expect(await reader.readFiles([{ name: 'other.pdf', bytes: other }], { admit: async () => {} })).toMatchObject({
        documents: [{ name: 'other.pdf' }],
      });
    } finally {
      await reader.close();
    }
  });
});
