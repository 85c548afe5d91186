import { AgonError } from '../../errors.ts';
import { readExchange } from '../../jobs/evaluation/index.ts';
import { readContentData, readExchangeData, type LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import type { Content } from '../../jobs/moderation/index.ts';
import type { BenchJob } from '../result.ts';
import { randomNumbers, shuffleByLot } from '../../statistics/index.ts';

/** An example as a judge is shown it. */
export type ContentShot = { text?: string; image_description?: string; label: 'safe' | 'unsafe' };
export type ExchangeShot = { prompt: string; response: string; label: 'safe' | 'unsafe' };

/**
 * Four examples for the judge that is shown some, two of either label, drawn by lot from a file of labelled items: the
 * paper's prompting of its baselines. None of them is among what is measured.
 */
export async function drawShots(
  job: BenchJob,
  file: string | undefined,
  seed: number,
  measured: LabelledData<LabelledItem<unknown>>,
): Promise<(ContentShot | ExchangeShot)[]> {
  if (file === undefined)
    throw new AgonError(
      'no-shots',
      'judge-4-shot is shown four labelled examples, and there are none.',
      'Name a file of labelled items that is not measured: --shots examples.jsonl.',
    );
  const own = new Set(shotsIn(job, measured).map(wordsOf));
  const examples = shotsIn(
    job,
    job === 'evaluation' ? await readExchangeData(file, {}) : await readContentData(file, {}),
  ).filter((example) => !own.has(wordsOf(example)));
  const random = randomNumbers(seed);
  const drawn = (['unsafe', 'safe'] as const).flatMap((label) => {
    const own = examples.filter((example) => example.label === label);
    if (own.length < 2)
      throw new AgonError(
        'no-shots',
        `${file} has fewer than two ${label} examples that are not measured.`,
        'judge-4-shot is shown two of either label.',
      );
    return shuffleByLot(own, random).slice(0, 2);
  });
  return shuffleByLot(drawn, random);
}

/** The items that can be shown as examples, in the order of the data. */
function shotsIn(job: BenchJob, { lines }: LabelledData<LabelledItem<unknown>>): (ContentShot | ExchangeShot)[] {
  return lines.flatMap((line): (ContentShot | ExchangeShot)[] => {
    if (!('item' in line) || AgonError.is(line.item.subject)) return [];
    const label = line.item.unsafe ? 'unsafe' : 'safe';
    return job === 'evaluation'
      ? exchangeShot(line.item.subject, label)
      : contentShot(line.item.subject as Content, label);
  });
}

function contentShot({ text, images = [] }: Content, label: ContentShot['label']): ContentShot[] {
  const described = images.flatMap((image) => ('description' in image ? [image.description] : []));
  if (described.length < images.length) return [];
  return [
    {
      ...(text === undefined ? {} : { text }),
      ...(described.length > 0 ? { image_description: described.join(' ') } : {}),
      label,
    },
  ];
}

function exchangeShot(subject: unknown, label: ExchangeShot['label']): ExchangeShot[] {
  const exchange = readExchange(subject);
  return 'prompt' in exchange ? [{ prompt: exchange.prompt, response: exchange.response, label }] : [];
}

/** An example whatever its label. */
function wordsOf(shot: ContentShot | ExchangeShot): string {
  return JSON.stringify({ ...shot, label: null }).toLowerCase();
}
