/*
 * Embeds what the embedded reasoner asks for at every start (the default policy's clauses and violations, the seed
 * precedents; apart from them, everyday texts) with the shipped model and writes models/guard-2/shelf.bin and
 * everyday.bin beside it: node training/shelve.ts [SEEDS.bin]
 * With a second file name, the seeds' embeddings are also written there as float32, for training/fit.py.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultPolicy } from '../src/policy/index.ts';
import { seedPrecedents } from '../src/precedents/index.ts';
import { encodeEmbeddings, everydayFile, loadEverydayTexts, openGuard } from '../src/reasoners/index.ts';

const root = join(import.meta.dirname, '..');
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

const [, , seedsFile] = process.argv;
if (seedsFile) {
  const bySeed = new Map(entries.map(({ text, embedding }) => [text, embedding]));
  writeFileSync(seedsFile, Buffer.concat(seeds.map((text) => Buffer.from(bySeed.get(text)!.slice().buffer))));
}
