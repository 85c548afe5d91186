import { expect, test } from 'vitest';
import { measureReviewers } from './reviewer-agreement.ts';

const decided = (verdict: string, sampled: boolean, ...said: [by: string, label: 'safe' | 'unsafe'][]) => ({
  verdict,
  sampled,
  decisions: said.map(([by, label]) => ({ by, label, action: null })),
});

test('a person is held against the machine, against others on the same case, and on samples', () => {
  const [ann, bob] = measureReviewers([
    decided('safe', true, ['ann', 'safe']),
    decided('safe', true, ['ann', 'unsafe'], ['bob', 'safe']),
    decided('unsafe', false, ['ann', 'unsafe'], ['bob', 'unsafe']),
    decided('undecided', false, ['ann', 'safe']),
  ]);
  expect(ann).toMatchObject({
    by: 'ann',
    decisions: 4,
    machine: { of: 3, agreed: 2 },
    others: { of: 2, agreed: 1 },
    samples: { of: 2, agreed: 1 },
  });
  expect(bob).toMatchObject({
    machine: { of: 2, agreed: 2 },
    others: { of: 2, agreed: 1 },
    samples: { of: 1, agreed: 1 },
  });
  const [low, high] = bob!.machine.interval!;
  expect(low).toBeCloseTo(0.342, 3);
  expect(high).toBe(1);
});

test('who changed their mind means the last, and nobody is held against themselves', () => {
  expect(measureReviewers([decided('safe', false, ['ann', 'unsafe'], ['ann', 'safe'])])).toEqual([
    {
      by: 'ann',
      decisions: 1,
      machine: { of: 1, agreed: 1, interval: [expect.closeTo(0.207, 3), 1] },
      others: { of: 0, agreed: 0, interval: null },
      samples: { of: 0, agreed: 0, interval: null },
    },
  ]);
});
