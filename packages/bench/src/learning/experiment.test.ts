import { expect, test } from 'vitest';
import type { Content } from '@agonhq/judges/moderation';
import { wilsonInterval } from '@agonhq/engine/statistics';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledContent } from '../jobs/moderation/labelled-content.ts';
import { openSafetyResults, runSafetySystem } from '../jobs/safety/run-safety.ts';
import { runExperiment, type Learner } from './experiment.ts';
import { renderLearningMarkdown, renderLearningPage } from './render.ts';
import { buildLearningReport } from './report.ts';

const data: LabelledData<LabelledContent> = {
  file: 'items.jsonl',
  sha256: 'abc',
  lines: Array.from({ length: 40 }, (_, index) => ({
    line: index + 1,
    key: `item-${index}`,
    item: {
      label: index % 2 === 0 ? ('unsafe' as const) : ('safe' as const),
      subject: { text: `text ${index}` },
      category: null,
      trivial: false,
      raters: null,
      modality: null,
    },
  })),
};
const truth = (content: Content) => (Number(content.text!.split(' ')[1]) % 2 === 0 ? 'unsafe' : 'safe');

/** Says safe to everything until it has learnt, and what is right from then on. */
function slowLearner(): Learner & { taught: number[][]; judgedIn: number[] } {
  const taught: number[][] = [];
  const judgedIn: number[] = [];
  return {
    taught,
    judgedIn,
    during: (batch) => ({
      name: `learner ${batch}`,
      configuration: 'learner',
      judge: async (content) => {
        judgedIn.push(taught.length);
        return { label: taught.length === 0 ? 'safe' : truth(content), score: null, probability: null };
      },
    }),
    async after(batch, items) {
      taught.push([batch, items.length]);
      return { library: batch * 10, learnt: 9, leftOut: 1 };
    },
  };
}

const control = {
  name: 'control',
  configuration: 'control',
  judge: async () => ({ label: 'safe' as const, score: null, probability: null }),
};

async function experiment(seed: number, learner = slowLearner()) {
  const results = await openSafetyResults();
  return runExperiment(data, {
    batches: 4,
    seed,
    control,
    learner,
    run: (system, part) => runSafetySystem(system, part, { results, concurrency: 4 }),
  });
}

test('each batch is judged with what was learnt from those before it, and learnt from when it is over', async () => {
  const learner = slowLearner();
  const runs = await experiment(1, learner);
  expect(learner.taught).toEqual([
    [1, 10],
    [2, 10],
    [3, 10],
    [4, 10],
  ]);
  expect(learner.judgedIn).toEqual([0, 1, 2, 3].flatMap((before) => Array<number>(10).fill(before)));
  expect(runs.map(({ library }) => library)).toEqual([0, 10, 20, 30]);
});

test('the figures are F1 of both on the same items, with intervals and the paired difference; repeats are averaged', async () => {
  const parameters = {
    mode: 'all',
    batches: 4,
    seed: 1,
    repeats: 2,
    curator: 'embedded:guard-2',
    models: {},
  } as const;
  const report = buildLearningReport(data, [await experiment(1), await experiment(2)], parameters);
  expect(
    report.batches.map(({ control: without, learner, difference }) => [without.value, learner.value, difference.value]),
  ).toEqual([
    [0, 0, 0],
    [0, 1, 1],
    [0, 1, 1],
    [0, 1, 1],
  ]);
  expect(report.batches[1]).toMatchObject({
    items: 20,
    library: 10,
    learnt: 9,
    leftOut: 1,
    difference: { interval: [2 * wilsonInterval(20, 20)![0] - 1, 1] },
  });
  expect(report.afterFirst).toMatchObject({ items: 60, difference: { value: 1 } });

  const page = await renderLearningPage([report]);
  expect(page).toContain('<svg');
  expect(page).toContain('zero-shot control, B2: 0.0');
  expect(renderLearningMarkdown([report])).toContain(
    '| B2 | 20 | 0.0 (0.0–16.1) | 100.0 (83.9–100.0) | +100.0 (+67.8 to +100.0) | 10 | 9 | 1 |',
  );
});
