/** Writes the manifest for the files of a model's folder: node packages/lab/training/seal-model.ts [guard-2|languages-2] */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@agonhq/engine/hash';
import { guardHeads } from '@agonhq/models/reasoners/embedded/text-models/heads';

const id = process.argv[2] ?? 'guard-2';
const folder = join(import.meta.dirname, '..', '..', '..', 'models', id);
const files = ['first.onnx', 'second.onnx', 'glance.onnx', 'tokenizer.json']
  .filter((file) => existsSync(join(folder, file)))
  .map((file) => ({ file, content: readFileSync(join(folder, file)) }));
// What it judges is measured after training and written by hand: sealing keeps it.
const before = join(folder, 'guard.json');
const known = existsSync(before) ? (JSON.parse(readFileSync(before, 'utf8')) as { languages?: object }) : {};
const sealed = {
  id,
  heads: guardHeads,
  maxTokens: 320,
  ...(known.languages ? { languages: known.languages } : {}),
  bytes: Object.fromEntries(files.map(({ file, content }) => [file, content.length])),
  sha256: Object.fromEntries(files.map(({ file, content }) => [file, sha256(content)])),
};
writeFileSync(before, `${JSON.stringify(sealed, null, 2)}\n`);
