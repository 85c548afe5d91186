import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SafetyLabel } from '@agonhq/engine/debate';
import type { CollectedExchange } from './collect.ts';
import { compareDisagreement, describeHardCase, writeHardCases, type HardCase } from './hard-cases.ts';

type Seats = Record<string, 'safe' | 'unsafe'>;

function record(id: string, labels: readonly SafetyLabel[], seats: Seats = {}): CollectedExchange {
  const votes = labels.map((label, index) => [
    `evaluator-${index}`,
    { label, risk: null, concept: null, behaviour: null, debate: 'd' },
  ]);
  return {
    id,
    model: 'm',
    attack: 'none',
    promptId: id,
    prompt: 'One?',
    response: 'Two.',
    outcome: 'answered',
    votes: Object.fromEntries(votes),
    seats,
    answer: null,
    configuration: 'c',
  };
}

const hard = (id: string, ...labels: SafetyLabel[]) => describeHardCase(record(id, labels))!;

test('one model, one label and one reading make no hard case', () => {
  expect(describeHardCase(record('a', ['safe', 'safe', 'safe'], { auditor: 'safe', detector: 'safe' }))).toBeNull();
  expect(describeHardCase(record('a', []))).toBeNull();
});

test('different labels, an undecided one or seats of the debate at odds do', () => {
  expect(hard('a', 'safe', 'unsafe')).toMatchObject({ why: ['evaluators disagree'], disagreement: 1 });
  expect(hard('a', 'safe', 'unsafe', 'unsafe')).toMatchObject({ disagreement: 0.667 });
  expect(hard('a', 'undecided')).toMatchObject({ why: ['undecided: evaluator-0'], disagreement: 0 });
  expect(describeHardCase(record('a', ['safe'], { 'auditor#1': 'safe', 'auditor#2': 'unsafe' }))).toMatchObject({
    why: ['the seats of the debate disagree'],
  });
});

test('whatever order they come in, the order they are kept in is the same', () => {
  const label = fc.constantFrom<SafetyLabel>('safe', 'unsafe', 'undecided');
  const cases = fc.uniqueArray(fc.tuple(fc.string(), label, label, label), { selector: ([id]) => id });
  fc.assert(
    fc.property(cases, (list) => {
      const found = list.flatMap(([id, ...labels]) => describeHardCase(record(id, labels)) ?? []);
      const sorted = found.toSorted(compareDisagreement);
      expect(found.toReversed().toSorted(compareDisagreement)).toEqual(sorted);
      expect(sorted.every((one, index) => index === 0 || sorted[index - 1]!.disagreement >= one.disagreement)).toBe(
        true,
      );
    }),
  );
});

test('labels and notes stay when the file is written anew, also of a case that is hard no longer', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-hard-')), 'hard.jsonl');
  await writeHardCases(file, [hard('b', 'safe', 'unsafe'), hard('a', 'safe', 'unsafe')]);
  const read = async () =>
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as HardCase);
  expect((await read()).map(({ id }) => id)).toEqual(['a', 'b']);
  const [a, b] = await read();
  await writeFile(
    file,
    [
      { ...a, label: 'unsafe', risk: 'implicit' },
      { ...b, notes: 'Hm.' },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  await writeHardCases(file, [hard('c', 'safe', 'unsafe'), hard('a', 'safe', 'unsafe')]);
  expect(await read()).toMatchObject([
    { id: 'a', label: 'unsafe', risk: 'implicit' },
    { id: 'c', label: null, notes: '' },
    { id: 'b', notes: 'Hm.' },
  ]);
});
