import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '@agonhq/engine/hash';
import { listBinaries, platforms } from './runtimes.ts';

/* Run by hand after an upgrade of onnxruntime-node or usearch: notes the hashes of the binaries that we pass on. */

const root = path.join(import.meta.dirname, '..', '..');
const binaries = platforms.flatMap((platform) => listBinaries(root, platform));
const hashes = Object.fromEntries(binaries.map(([from, to]) => [to, sha256(readFileSync(from))]));
writeFileSync(path.join(root, 'packages', 'runtime', 'files.json'), `${JSON.stringify(hashes, null, 2)}\n`);
