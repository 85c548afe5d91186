import { describe, expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { ownJobs } from '../own-jobs.ts';
import type { Content } from '@agonhq/judges/moderation';
import { parsePolicy } from '@agonhq/engine/policy';
import { testPolicy } from './test-policy.ts';

const policy = parsePolicy(
  `
name: house rules
version: "1"
categories:
  - id: fraud
    title: Fraud
    clauses:
      - id: fraud.scam
        text: No scams.
        severity: high
        violations: [ { text: Send me your PIN }, { image_description: A forged invoice } ]
        exonerations: [ { text: How do I recognise a scam? } ]
  - id: weapons
    title: Weapons
    clauses:
      - id: weapons.sale
        text: No sale of weapons.
        severity: high
        violations: [ { text: Guns without papers } ]
        exonerations: [ { text: A museum shows old swords } ]
`,
  'house.yaml',
);

/** Judges as told: text or description to `label` or `label category`. */
function judge(verdicts: Record<string, string>) {
  return ({ text, images }: Content) => {
    const [image] = images ?? [];
    const [label, category] = verdicts[text ?? (image as { description: string }).description]!.split(' ');
    return { verdict: { label, categories: category ? [{ id: category, clause: `${category}.x` }] : [] } };
  };
}

/** The options of a test in which an Agon judges so. */
function judgedBy(decide: (content: Content) => object, concurrency = 2) {
  const agon = {
    async *judge(_job: unknown, input: unknown) {
      yield* [];
      return decide(input as Content) as never;
    },
  };
  return { agon, job: ownJobs.requireLearning(), concurrency };
}

const asWritten = {
  'Send me your PIN': 'unsafe fraud',
  'A forged invoice': 'unsafe fraud',
  'How do I recognise a scam?': 'safe',
  'Guns without papers': 'unsafe weapons',
  'A museum shows old swords': 'safe',
};

describe("a policy's own examples", () => {
  test('are all judged, and a clause that catches its own misses none', async () => {
    const reports = await testPolicy(policy, judgedBy(judge(asWritten)));
    expect(reports).toEqual([
      { clause: 'fraud.scam', examples: 3, missed: [] },
      { clause: 'weapons.sale', examples: 2, missed: [] },
    ]);
  });

  test('that a clause does not catch are named with what they were judged to be', async () => {
    const decide = judge({
      ...asWritten,
      'A forged invoice': 'safe',
      'How do I recognise a scam?': 'unsafe fraud',
      'Guns without papers': 'unsafe fraud',
      'A museum shows old swords': 'undecided',
    });
    const reports = await testPolicy(policy, judgedBy(decide));
    expect(reports.flatMap(({ missed }) => missed.map(({ kind, outcome }) => `${kind}: ${outcome}`))).toEqual([
      'violation: safe',
      'exoneration: unsafe under fraud.x',
      'violation: unsafe under fraud.x',
      'exoneration: undecided',
    ]);
  });

  test('that could not be judged do not stop the others', async () => {
    const judged = judge(asWritten);
    const decide = (content: Content) => {
      if (content.text === 'Guns without papers') throw new AgonError('text-too-long', 'Too long.', 'Split it.');
      return judged(content);
    };
    const reports = await testPolicy(policy, judgedBy(decide));
    expect(reports[1]!.missed).toMatchObject([{ kind: 'violation', outcome: 'failed: Too long.' }]);
  });
});

test('only the named clauses or categories are tested, and an unknown one is refused', async () => {
  const options = judgedBy(judge(asWritten));
  const named = async (...only: string[]) =>
    (await testPolicy(policy, { ...options, only })).map(({ clause }) => clause);
  expect(await named('weapons')).toEqual(['weapons.sale']);
  expect(await named('fraud.scam')).toEqual(['fraud.scam']);
  await expect(named('fraud.scam', 'wepons')).rejects.toMatchObject({
    code: 'no-such-clause',
    message: expect.stringContaining('"wepons"'),
  });
});

test('a wrong key ends the test with one error instead of one for each example', async () => {
  let calls = 0;
  const decide = () => {
    calls += 1;
    throw new AgonError('wrong-key', 'The key is wrong.', 'Check it.');
  };
  await expect(testPolicy(policy, judgedBy(decide, 1))).rejects.toMatchObject({ code: 'wrong-key' });
  expect(calls).toBe(1);
});
