import { AgonError } from '@agonhq/engine/agon-error';
import { randomNumbers, shuffleByLot } from '@agonhq/engine/statistics';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import type { LabelledData } from '../datasets/read-dataset.ts';

/**
 * Four examples for the judge that is shown some, two of either label, drawn by lot from labelled items: the paper's
 * prompting of its baselines. None of them is among what is measured.
 */
export async function drawExamples<Item extends LabelledItem, Example extends { label: string }>(
  { file, seed, measured, read }: ExampleSource<Item>,
  toExample: (item: Item) => Example | null,
): Promise<Example[]> {
  if (file === undefined)
    throw new AgonError(
      'no-shots',
      'judge-4-shot is shown four labelled examples, and there are none.',
      'Name a file of labelled items that is not measured: --shots examples.jsonl.',
    );
  const own = new Set(listExamples(measured, toExample).map(writeExample));
  const examples = listExamples(await read(file), toExample).filter((example) => !own.has(writeExample(example)));
  const random = randomNumbers(seed);
  const drawn = (['unsafe', 'safe'] as const).flatMap((label) => {
    const labelled = examples.filter((example) => example.label === label);
    if (labelled.length < 2)
      throw new AgonError(
        'no-shots',
        `${file} has fewer than two ${label} examples that are not measured.`,
        'judge-4-shot is shown two of either label.',
      );
    return shuffleByLot(labelled, random).slice(0, 2);
  });
  return shuffleByLot(drawn, random);
}

/** Where examples come from, and what they must not be among. */
export interface ExampleSource<Item extends LabelledItem> {
  file: string | undefined;
  seed: number;
  measured: LabelledData<Item>;
  read(file: string): Promise<LabelledData<Item>>;
}

function listExamples<Item extends LabelledItem, Example>(
  { lines }: LabelledData<Item>,
  toExample: (item: Item) => Example | null,
): Example[] {
  return lines.flatMap((line) => ('item' in line ? (toExample(line.item) ?? []) : []));
}

function writeExample(example: object): string {
  return JSON.stringify({ ...example, label: null }).toLowerCase();
}
