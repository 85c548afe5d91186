/** Writes guard.json or reply.json for the files of a model's folder: node training/seal-model.ts [guard-1|reply-1] */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../src/hash.ts';
import { guardHeads } from '../src/reasoners/embedded/guard.ts';
import { replyHeads } from '../src/reasoners/embedded/reply-model.ts';

const models = {
  'guard-1': { manifest: 'guard.json', names: ['guard.onnx', 'tokenizer.json'], heads: guardHeads, maxTokens: 320 },
  'reply-1': { manifest: 'reply.json', names: ['reply.onnx'], heads: replyHeads, maxTokens: 512 },
};
const id = (process.argv[2] ?? 'guard-1') as keyof typeof models;
const { manifest, names, heads, maxTokens } = models[id];
const folder = join(import.meta.dirname, '..', 'models', id);
const files = names.map((name) => ({ name, content: readFileSync(join(folder, name)) }));
// What it judges is measured after training and written by hand: sealing keeps it.
const before = join(folder, manifest);
const known = existsSync(before) ? (JSON.parse(readFileSync(before, 'utf8')) as { languages?: object }) : {};
const sealed = {
  id,
  heads,
  maxTokens,
  ...(known.languages ? { languages: known.languages } : {}),
  bytes: Object.fromEntries(files.map(({ name, content }) => [name, content.length])),
  sha256: Object.fromEntries(files.map(({ name, content }) => [name, sha256(content)])),
};
writeFileSync(join(folder, manifest), `${JSON.stringify(sealed, null, 2)}\n`);
