/*
 * Fits from which similarity on a precedent is brought: node packages/lab/training/fit-similarity.ts
 * Of packages/lab/training/similarity-texts.jsonl, of our own writing, each text either says in other words what a seed says, or
 * has nothing to do with any. The bar is what all but one in forty of the everyday texts stay below. Prints how many
 * paraphrases it costs, bare cosines beside, and writes `precedents.least` of weights.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPolicy } from '@agonhq/engine/policy';
import { seedPrecedents } from '@agonhq/models/precedents';
import { embedCentred, embedText } from '@agonhq/models/reasoners';
import { similarityTo } from '@agonhq/engine/text/similarity';

const root = join(import.meta.dirname, '..', '..', '..');
const weightsFile = join(root, 'models', 'guard-2', 'weights.json');

interface Written {
  text: string;
  alike: string | null;
}
const texts = readFileSync(join(root, 'packages', 'lab', 'training', 'similarity-texts.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Written);
const seeds = (await seedPrecedents(await defaultPolicy())).map(({ id, text }) => ({ id, text }));

async function measure(embed: (text: string) => Promise<Float32Array>) {
  const nearest = similarityTo(await Promise.all(seeds.map(({ text }) => embed(text))));
  const related: number[] = [];
  const unrelated: number[] = [];
  for (const { text, alike } of texts) {
    const similarities = nearest(await embed(text));
    if (alike === null) unrelated.push(Math.max(...similarities));
    else related.push(similarities[seeds.findIndex(({ id }) => id === alike)]!);
  }
  const best = unrelated.toSorted((a, b) => b - a)[Math.floor(unrelated.length / 40)]! + 0.001;
  return { related, unrelated, best };
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!.toFixed(3);

async function report(name: string, embed: (text: string) => Promise<Float32Array>): Promise<number> {
  const { related, unrelated, best } = await measure(embed);
  const missed = related.filter((similarity) => similarity < best).length;
  const brought = unrelated.filter((similarity) => similarity >= best).length;
  console.log(
    `${name}: paraphrase and seed 5 % ${at(related, 0.05)}, median ${at(related, 0.5)}; everyday text and its ` +
      `nearest seed median ${at(unrelated, 0.5)}, 95 % ${at(unrelated, 0.95)}. At ${best.toFixed(3)} ` +
      `${missed} of ${related.length} paraphrases miss their seed, ${brought} of ${unrelated.length} everyday texts ` +
      'bring one.',
  );
  return best;
}

await report('bare cosine', embedText);
const least = Math.round((await report('centred', embedCentred)) * 100) / 100;
const weights = JSON.parse(readFileSync(weightsFile, 'utf8')) as { precedents: { least: number } };
weights.precedents.least = least;
writeFileSync(weightsFile, `${JSON.stringify(weights, null, 2)}\n`);
console.log(`precedents.least is ${least}`);
