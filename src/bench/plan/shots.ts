import { AgonError } from '../../errors.ts';
import { readExchange } from '../../evaluation/index.ts';
import { randomNumbers } from '../metrics/random-numbers.ts';
import { readContentData, readExchangeData } from '../datasets/data-file.ts';
import type { BenchJob } from '../sheet.ts';

/** An example as a judge is shown it. */
export type ContentShot = { text?: string; image_description?: string; label: 'safe' | 'unsafe' };
export type ExchangeShot = { prompt: string; response: string; label: 'safe' | 'unsafe' };

/**
 * Four examples for the judge that is shown some, two of either label, drawn by lot from a file of labelled items: the
 * paper's prompting of its baselines. They must not come from what is measured.
 */
export async function drawShots(job: BenchJob, file: string | undefined, seed: number): Promise<(ContentShot | ExchangeShot)[]> {
  if (file === undefined) throw new AgonError('no-shots', 'judge-4-shot is shown four labelled examples, and there are none.', 'Name a file of labelled items that is not measured: --shots examples.jsonl.');
  const examples = job === 'evaluation' ? await exchangeShots(file) : await contentShots(file);
  const random = randomNumbers(seed);
  const drawn = (['unsafe', 'safe'] as const).flatMap((label) => {
    const own = examples.filter((example) => example.label === label);
    if (own.length < 2) throw new AgonError('no-shots', `${file} has fewer than two ${label} examples.`, 'judge-4-shot is shown two of either label.');
    return shuffled(own, random).slice(0, 2);
  });
  return shuffled(drawn, random);
}

async function contentShots(file: string): Promise<ContentShot[]> {
  const { lines } = await readContentData(file, {});
  return lines.flatMap((line): ContentShot[] => {
    if (!('item' in line) || AgonError.is(line.item.subject)) return [];
    const { text, images = [] } = line.item.subject;
    const described = images.flatMap((image) => ('description' in image ? [image.description] : []));
    if (described.length < images.length) return [];
    return [{ ...(text === undefined ? {} : { text }), ...(described.length > 0 ? { image_description: described.join(' ') } : {}), label: line.item.unsafe ? 'unsafe' : 'safe' }];
  });
}

async function exchangeShots(file: string): Promise<ExchangeShot[]> {
  const { lines } = await readExchangeData(file, {});
  return lines.flatMap((line): ExchangeShot[] => {
    if (!('item' in line) || AgonError.is(line.item.subject)) return [];
    const exchange = readExchange(line.item.subject);
    return 'prompt' in exchange ? [{ prompt: exchange.prompt, response: exchange.response, label: line.item.unsafe ? 'unsafe' : 'safe' }] : [];
  });
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items.map((item) => ({ item, place: random() })).toSorted((a, b) => a.place - b.place).map(({ item }) => item);
}
