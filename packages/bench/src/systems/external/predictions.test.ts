import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openExternalSystem } from './open-external-system.ts';
import { exchangeReader } from '../../jobs/evaluation/labelled-exchange.ts';
import { claimPredictions } from '../../jobs/documents/systems.ts';
import { openPredictions, safetyPredictions } from './predictions.ts';

const openSafetyPredictions = (file: string, name: string) => openPredictions(file, name, safetyPredictions);
const openClaimPredictions = (file: string, name: string) => openPredictions(file, name, claimPredictions);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-predictions-'));
});

async function fileOf(...lines: (object | string)[]): Promise<string> {
  const file = path.join(folder, 'theirs.jsonl');
  await writeFile(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return file;
}

describe('predictions', () => {
  test('are found by the id of their item, or by its line', async () => {
    const file = await fileOf(
      { id: 'a', label: 'unsafe', score: 0.9, costUsd: 0.01, latencyMs: 120 },
      { id: 7, prediction: 'harmful', probability: 0.7 },
      { line: 3, label: 0 },
      { id: 'd', label: 'undecided' },
    );
    const { predict, size } = await openSafetyPredictions(file, 'theirs');
    expect(size).toBe(4);
    expect(predict({ id: 'a', line: 1 })).toEqual({
      label: 'unsafe',
      score: 0.9,
      probability: null,
      costUsd: 0.01,
      latencyMs: 120,
      line: 1,
    });
    expect(predict({ id: '7', line: 2 })).toMatchObject({ label: 'unsafe', score: 0.7, probability: 0.7 });
    expect(predict({ line: 3 })).toMatchObject({ label: 'safe', score: null });
    expect(predict({ id: 'd', line: 9 })).toMatchObject({ label: 'undecided' });
    expect(predict({ id: 'e', line: 4 })).toBeUndefined();
    expect(predict({ id: '3', line: 4 })).toBeUndefined();
  });

  test('of claims are classes or verdicts', async () => {
    const labels = ['entailed', 'Refuted', 'neutral', 'verified-strong', 'contradicted', 'not mentioned', 'mixed', 1];
    const { predict } = await openClaimPredictions(
      await fileOf(...labels.map((label, index) => ({ id: String(index), label }))),
      'theirs',
    );
    expect(labels.map((_, index) => predict({ id: String(index), line: 0 })!.label)).toEqual([
      'supported',
      'contradicted',
      'unsupported',
      'verified-strong',
      'contradicted',
      'unsupported',
      'mixed',
      'supported',
    ]);
  });

  test('that are missing, belong to nobody or come again are noted', async () => {
    const { notes } = await openSafetyPredictions(
      await fileOf(
        { id: 'a', label: 'safe' },
        { id: 'a', label: 'safe' },
        { id: 'x', label: 'safe' },
        { id: 'y', label: 'safe' },
      ),
      'theirs',
    );
    expect(
      notes([
        { id: 'a', line: 1 },
        { id: 'b', line: 2 },
        { id: null, line: 3 },
      ]),
    ).toEqual([
      'theirs: 2 of 3 items have no prediction in theirs.jsonl; they count as failed.',
      'theirs: 2 predictions in theirs.jsonl belong to no item of the data.',
      'theirs: 1 prediction in theirs.jsonl came again with the same label; the first counts.',
    ]);
    const whole = await openSafetyPredictions(await fileOf({ id: 'a', label: 'safe' }), 'theirs');
    expect(whole.notes([{ id: 'a', line: 1 }])).toEqual([]);
  });

  test.each<[string, (object | string)[], RegExp]>([
    [
      'contradict each other',
      [
        { id: 'a', label: 'safe' },
        { id: 'b', label: 'safe' },
        { id: 'a', label: 1 },
      ],
      /the id "a" twice: safe on line 1, unsafe on line 3\.$/,
    ],
    [
      'contradict each other by line',
      [
        { line: 2, label: 'safe' },
        { line: 2, label: 'unsafe' },
      ],
      /predicts line 2 twice/,
    ],
    [
      'have a label that nobody knows',
      [
        { id: 'a', label: 'safe' },
        { id: 'b', label: 'maybe' },
      ],
      /theirs\.jsonl:2: The label "maybe" is not known\.$/,
    ],
    ['have no label', [{ id: 'a' }], /theirs\.jsonl:1: The prediction has no label\.$/],
    ['do not say of what', [{ label: 'safe' }], /neither the id nor the line/],
    ['are not JSON', ['{"id":'], /theirs\.jsonl:1: The line is not JSON/],
    ['are no object', ['[]'], /theirs\.jsonl:1: The prediction is not readable/],
    ['have a probability that is none', [{ id: 'a', label: 'safe', probability: 1.2 }], /probability/],
    ['have a score in words', [{ id: 'a', label: 'safe', score: 'high' }], /score/],
    ['cost less than nothing', [{ id: 'a', label: 'safe', costUsd: -1 }], /costUsd/],
    ['are not there', [], /holds no predictions/],
  ])('that %s are refused with their line', async (_name, lines, message) => {
    await expect(openSafetyPredictions(await fileOf(...lines), 'theirs')).rejects.toThrow(message);
  });

  test('of a file that is not there', async () => {
    await expect(openSafetyPredictions(path.join(folder, 'none.jsonl'), 'theirs')).rejects.toMatchObject({
      code: 'unreadable-file',
    });
  });

  test('are a system like any other; an item without one fails', async () => {
    const file = await fileOf(
      { id: 'a', label: 'unsafe', score: 0.9, cost: 0.25, latency: 30 },
      { id: 'b', label: 'safe' },
    );
    const system = await openExternalSystem(`predictions:theirs=${file}`, { reader: exchangeReader, settings: {} });
    const judge = (id: string) =>
      system.judge({ prompt: 'x', response: 'y' }, new AbortController().signal, { line: 1, id });
    expect(system).toMatchObject({
      name: 'theirs',
      kind: 'external',
      models: [],
      configuration: expect.stringMatching(/^sha256:/),
    });
    expect(await judge('a')).toMatchObject({
      label: 'unsafe',
      score: 0.9,
      usage: { calls: 0, costUsd: 0.25 },
      latencyMs: 30,
    });
    expect(await judge('b')).toMatchObject({ label: 'safe', score: null, usage: { costUsd: null }, latencyMs: null });
    await expect(judge('c')).rejects.toMatchObject({
      code: 'no-prediction',
      message: 'There is no prediction of theirs for this item.',
    });
    await writeFile(file, '{"id":"a","label":"safe"}\n');
    expect(
      (await openExternalSystem(`predictions:theirs=${file}`, { reader: exchangeReader, settings: {} })).configuration,
    ).not.toBe(system.configuration);
  });
});
