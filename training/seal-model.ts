/** Writes guard.json for the files of a model's folder: node training/seal-model.ts [FOLDER] */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '../src/hash.ts';
import { guardHeads } from '../src/reasoners/embedded/guard/index.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'models', 'guard-1');
const files = ['guard.onnx', 'tokenizer.json'].map((name) => ({ name, content: readFileSync(join(folder, name)) }));
const manifest = {
  id: basename(folder),
  heads: guardHeads,
  maxTokens: 320,
  bytes: Object.fromEntries(files.map(({ name, content }) => [name, content.length])),
  sha256: Object.fromEntries(files.map(({ name, content }) => [name, sha256(content)])),
};
writeFileSync(join(folder, 'guard.json'), `${JSON.stringify(manifest, null, 2)}\n`);
