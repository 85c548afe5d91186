/*
 * Embeds what the embedded reasoner asks for at every start (the default policy's clauses and violations, the seed
 * precedents; apart from them, everyday texts) with the shipped model and writes models/guard-2/shelf.bin and
 * everyday.bin beside it: node packages/lab/training/shelve.ts [SEEDS.bin]
 * kept.json has the hashes of both and of clauses.bin. With a file name, the seeds' embeddings are also written there as
 * float32, for packages/lab/training/fit.py.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultPolicy } from '@agonhq/engine/policy';
import { seedPrecedents } from '@agonhq/models/precedents';
import { sha256 } from '@agonhq/engine/hash';
import {
  directionsFile,
  encodeEmbeddings,
  everydayFile,
  keptFile,
  loadEverydayTexts,
  openGuard,
} from '@agonhq/models/reasoners';

const root = join(import.meta.dirname, '..', '..', '..');
const shelfFile = join(root, 'models', 'guard-2', 'shelf.bin');
rmSync(shelfFile, { force: true });

const policy = await defaultPolicy();
const seeds = (await seedPrecedents(policy)).map(({ text }) => text);
const landmarks = policy.categories.flatMap(({ clauses }) =>
  clauses.flatMap(({ text, violations }) => [
    text,
    ...violations.map((example) =>
      [example.text, example.imageDescription].filter((part) => part !== undefined).join('\n'),
    ),
  ]),
);
const guard = await openGuard();
const everyday = await loadEverydayTexts();
await shelve([...everyday.fitted, ...everyday.tried], join(dirname(shelfFile), everydayFile));
const texts = [...new Set([...seeds, ...landmarks])];
const entries = await shelve(texts, shelfFile);

async function shelve(words: readonly string[], file: string) {
  const shelved = await Promise.all(words.map(async (text) => ({ text, embedding: await guard.embed(text) })));
  writeFileSync(file, encodeEmbeddings(shelved));
  console.log(`${shelved.length} embeddings in ${file}`);
  return shelved;
}

/** What is loaded is held against these hashes. */
const folder = dirname(shelfFile);
const shipped = ['shelf.bin', everydayFile, directionsFile].filter((name) => existsSync(join(folder, name)));
const hashes = Object.fromEntries(shipped.map((name) => [name, sha256(readFileSync(join(folder, name)))]));
writeFileSync(join(folder, keptFile), `${JSON.stringify({ sha256: hashes }, null, 2)}\n`);

const [, , seedsFile] = process.argv;
if (seedsFile) {
  const bySeed = new Map(entries.map(({ text, embedding }) => [text, embedding]));
  writeFileSync(seedsFile, Buffer.concat(seeds.map((text) => Buffer.from(bySeed.get(text)!.slice().buffer))));
}
