import { expect, test } from 'vitest';
import type { LearningReport } from '@agonhq/bench';
import { renderTextChart } from './draw-learning.ts';

test('draws both conditions over the batches, and where they are in one place', () => {
  const batches = [0, 1, 1, 1].map((learner, place) => ({
    batch: place + 1,
    control: { value: 0, interval: null },
    learner: { value: learner, interval: null },
  }));
  const chart = renderTextChart({ batches } as unknown as LearningReport);
  expect(chart[0]).toMatch(/^ 1\.000 │ +● +● +●$/);
  expect(chart[10]).toMatch(/^ 0\.000 │ +◉ +○ +○ +○$/);
});
