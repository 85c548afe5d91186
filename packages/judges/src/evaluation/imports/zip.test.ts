import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeZip } from '@agonhq/test/support/make-zip.ts';
import { openZip } from './zip.ts';

async function zipFile(bytes: Uint8Array): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-zip-')), 'log.eval');
  await writeFile(file, bytes);
  return file;
}

async function textsIn(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await openZip(await zipFile(bytes));
  try {
    const texts = await Promise.all(
      zip.entries.map(async (entry) => [entry.name, (await zip.read(entry)).toString('utf8')] as const),
    );
    return Object.fromEntries(texts);
  } finally {
    await zip.close();
  }
}

const long = 'Zeile mit ümläuten\n'.repeat(5000);

test('entries are read back whole, however they are packed', async () => {
  const zip = makeZip({
    'a.json': { content: '{}', method: 'stored' },
    'ö/b.json': { content: long },
    c: { content: long, method: 'zstd' },
    empty: { content: '' },
  });
  expect(await textsIn(zip)).toEqual({ 'a.json': '{}', 'ö/b.json': long, c: long, empty: '' });
});

test('the wide numbers of large files are read, and a comment at the end does no harm', async () => {
  const zip = makeZip(
    { a: { content: long, wide: true }, b: { content: 'b' } },
    { wide: true, comment: 'made by a test' },
  );
  expect(await textsIn(zip)).toEqual({ a: long, b: 'b' });
});

test('a file that was cut short, damaged or is none is refused with the reason', async () => {
  const zip = makeZip({ a: { content: long } });
  await expect(textsIn(zip.subarray(0, zip.length - 30))).rejects.toMatchObject({
    code: 'broken-zip',
    message: expect.stringContaining('cut short'),
  });
  await expect(textsIn(Buffer.from('nothing'))).rejects.toMatchObject({ code: 'broken-zip' });
  await expect(textsIn(Buffer.alloc(0))).rejects.toMatchObject({ code: 'broken-zip' });
  const damaged = Buffer.from(zip);
  damaged[60]! ^= 0xff;
  await expect(textsIn(damaged)).rejects.toMatchObject({
    code: 'broken-zip',
    message: expect.stringMatching(/a (cannot be unpacked|is damaged)/),
  });
});

test('an entry that unpacks to more than it says is not unpacked', async () => {
  const zip = makeZip({ bomb: { content: 'x'.repeat(1_000_000) } });
  const at = zip.lastIndexOf('bomb') - 46;
  zip.writeUInt32LE(10, at + 24);
  await expect(textsIn(zip)).rejects.toMatchObject({
    code: 'broken-zip',
    message: expect.stringContaining('bomb cannot be unpacked'),
  });
});

test('a way of packing that is not known is named', async () => {
  const zip = makeZip({ a: { content: 'a' } });
  zip.writeUInt16LE(14, zip.lastIndexOf('a') - 46 + 10);
  await expect(textsIn(zip)).rejects.toMatchObject({ message: expect.stringContaining('method 14') });
});
