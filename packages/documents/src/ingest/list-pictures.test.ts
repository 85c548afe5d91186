import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import { drawPicture } from '@agonhq/test/support/draw-picture.ts';
import { listPictures } from './list-pictures.ts';

const png = () => drawPicture(1).resize(80).png().toBuffer();

async function picturesOf(name: string, bytes: Uint8Array, options = {}) {
  const found: { place: string; image: Uint8Array }[] = [];
  for await (const picture of listPictures({ name, bytes }, options)) found.push(picture);
  return found;
}
const placesOf = async (name: string, bytes: Uint8Array) => (await picturesOf(name, bytes)).map(({ place }) => place);

test('an image is its own picture, whatever it is called', async () => {
  const image = await png();
  expect(await picturesOf('photo.txt', image)).toEqual([{ place: 'photo.txt', image }]);
});

test('a text has those that stand in it, and plain text none', async () => {
  const [one, other] = [Buffer.alloc(24, 1), Buffer.alloc(30, 2)];
  const written = [one, other]
    .map((bytes) => `<img src="data:image/png;base64,${bytes.toString('base64')}">`)
    .join('\n');
  const found = await picturesOf(
    'page.html',
    Buffer.from(`<html><body>${written}<img src="data:text/plain;base64,AAAAAAAAAAAAAAAAAAAA">`),
  );
  expect(found.map(({ place }) => place)).toEqual(['page.html, picture 1', 'page.html, picture 2']);
  expect(found.map(({ image }) => Buffer.from(image))).toEqual([one, other]);
  expect(
    await placesOf('notes.md', Buffer.from(`# Notes\n\n![](data:image/png;base64,${one.toString('base64')})`)),
  ).toHaveLength(1);
  expect(await placesOf('notes.txt', Buffer.from(written.replaceAll(/[<>]/g, '')))).toEqual([]);
});

test('a document or a workbook has those of its media folder', async () => {
  const image = await png();
  const types = Buffer.from('<Types xmlns="x"/>');
  for (const [name, folder, main] of [
    ['letter.docx', 'word', 'word/document.xml'],
    ['figures.xlsx', 'xl', 'xl/workbook.xml'],
  ] as const) {
    const zip = zipSync({
      '[Content_Types].xml': types,
      [main]: Buffer.from('<x/>'),
      [`${folder}/media/image1.png`]: image,
      [`${folder}/embeddings/image2.png`]: image,
    });
    const found = await picturesOf(name, zip);
    expect(found.map(({ place }) => place)).toEqual([`${name}, picture 1`]);
    expect(Buffer.from(found[0]!.image)).toEqual(Buffer.from(image));
  }
});

test('a PDF has those of its pages', async () => {
  const image = await png();
  const bytes = await drawnPdf((pdf) => {
    pdf.text('A page with words.');
    pdf.addPage();
    pdf.image(image, 50, 50, { width: 200 });
  });
  expect(await placesOf('report.pdf', bytes)).toEqual(['report.pdf, page 2, picture 1']);
});
