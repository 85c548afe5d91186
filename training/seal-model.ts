/** Writes guard.json for the files of a guard's folder: node training/seal-model.ts [guard-2|languages-2] */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../src/hash.ts';
import { guardHeads } from '../src/reasoners/embedded/minds/heads.ts';

const id = process.argv[2] ?? 'guard-2';
const folder = join(import.meta.dirname, '..', 'models', id);
const files = ['first.onnx', 'second.onnx', 'tokenizer.json']
  .filter((name) => existsSync(join(folder, name)))
  .map((name) => ({ name, content: readFileSync(join(folder, name)) }));
// What it judges is measured after training and written by hand: sealing keeps it.
const before = join(folder, 'guard.json');
const known = existsSync(before) ? (JSON.parse(readFileSync(before, 'utf8')) as { languages?: object }) : {};
const sealed = {
  id,
  heads: guardHeads,
  maxTokens: 320,
  ...(known.languages ? { languages: known.languages } : {}),
  bytes: Object.fromEntries(files.map(({ name, content }) => [name, content.length])),
  sha256: Object.fromEntries(files.map(({ name, content }) => [name, sha256(content)])),
};
writeFileSync(before, `${JSON.stringify(sealed, null, 2)}\n`);
