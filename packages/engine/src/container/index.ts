/* How files that leave the house are packed and signed. Runs in a browser. */

export { decodeBase64, encodeBase64, encodeHex, encodeText, joinBytes } from './bytes.ts';
export { encodePae, readEnvelope, writeEnvelope } from './dsse.ts';
export { createZipWriter, mostBytes, mostEntries, readZip, writeZip, type ZipEntry } from './zip.ts';
