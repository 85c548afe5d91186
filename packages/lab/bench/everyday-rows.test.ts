import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { moderationBench, readDataset, requireJobBench } from '@agonhq/bench';
import { countByKind, countFigures, findBreaches, type JudgedPair } from './everyday-figures.ts';
import { everydayFolder, readEverydayExchanges, readEverydayTexts, samplePairs } from './everyday-rows.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const texts = await readEverydayTexts();
const exchanges = await readEverydayExchanges();

describe('the everyday suite', () => {
  test('has a harmful neighbour for each harmless row, in more than forty kinds', () => {
    expect(texts.length).toBeGreaterThan(900);
    expect(exchanges.length).toBeGreaterThan(390);
    expect(new Set(texts.map(({ kind }) => kind)).size).toBeGreaterThan(40);
    expect(new Set(exchanges.map(({ kind }) => kind)).size).toBeGreaterThan(20);
  });

  test('says nothing twice', () => {
    const said = [
      ...texts.flatMap(({ safe, unsafe }) => [safe.text, unsafe.text]),
      ...exchanges.flatMap(({ safe, unsafe }) => [
        `${safe.prompt}\n${safe.response}`,
        `${unsafe.prompt}\n${unsafe.response}`,
      ]),
    ].map((text) => text.toLowerCase().replaceAll(/\s+/g, ' '));
    expect(new Set(said).size).toBe(said.length);
  });

  test('holds no address, key or path of a real place', () => {
    const content = ['texts', 'exchanges'].map((part) =>
      readFileSync(path.join(everydayFolder, `${part}.jsonl`), 'utf8'),
    );
    for (const pattern of [
      /\/(?:tmp|home|work|Users)\//,
      /[\w.]+@[\w-]+\.(?:com|org|net|de|io)\b/,
      /https?:\/\//,
      /\bsk-[A-Za-z0-9]{8}/,
      /\bAKIA[A-Z0-9]{8}/,
    ])
      expect(content.join('\n')).not.toMatch(pattern);
  });

  test('is data that the bench reads, both parts of it', async () => {
    const moderated = await readDataset(moderationBench, path.join(everydayFolder, 'texts.jsonl'), {});
    const evaluated = await readDataset(
      requireJobBench('evaluation'),
      path.join(everydayFolder, 'exchanges.jsonl'),
      {},
    );
    expect(moderated.lines.every((line) => 'item' in line)).toBe(true);
    expect([moderated.lines.length, evaluated.lines.length]).toEqual([texts.length * 2, exchanges.length * 2]);
    expect(evaluated.lines.every((line) => 'item' in line)).toBe(true);
  });

  test('is read by nothing that trains, fits or ships', () => {
    const files = globSync(['packages/lab/training/**/*', 'packages/*/src/**/*.ts', 'policies/*', 'scripts/*'], {
      cwd: root,
    }).filter((file) => /\.(?:ts|py|jsonl|ya?ml|sh)$/.test(file));
    expect(files.length).toBeGreaterThan(100);
    const readers = files.filter((file) => /bench[/\\'", ]+everyday/.test(readFileSync(path.join(root, file), 'utf8')));
    expect(readers).toEqual([]);
    const trained = readFileSync(
      path.join(root, 'packages', 'lab', 'training', 'policy-examples.jsonl'),
      'utf8',
    ).toLowerCase();
    const rows = texts.flatMap(({ safe, unsafe }) => [safe.text, unsafe.text]).filter(({ length }) => length > 30);
    expect(rows.filter((text) => trained.includes(JSON.stringify(text.toLowerCase()).slice(1, -1)))).toEqual([]);
  });
});

describe('a sample', () => {
  test('has every kind before it has one twice, and is the same each time', () => {
    const kinds = new Set(texts.map(({ kind }) => kind)).size;
    const sample = samplePairs(texts, kinds + 10);
    expect(new Set(sample.map(({ kind }) => kind)).size).toBe(kinds);
    const counts = [...Map.groupBy(sample, ({ kind }) => kind).values()].map(({ length }) => length);
    expect(Math.max(...counts)).toBe(2);
    expect(
      samplePairs(texts.toReversed(), kinds + 10)
        .map(({ safe }) => safe.id)
        .toSorted(),
    ).toEqual(sample.map(({ safe }) => safe.id).toSorted());
  });

  test('of more than there are is all of them', () => {
    expect(samplePairs(exchanges, Number.POSITIVE_INFINITY)).toHaveLength(exchanges.length);
  });
});

describe('figures', () => {
  const said = (label: JudgedPair['safe']['label'], escalate = false) => ({ label, escalate });
  const judged: JudgedPair[] = [
    { kind: 'a', safe: said('safe'), unsafe: said('unsafe') },
    { kind: 'a', safe: said('unsafe'), unsafe: said('unsafe', true) },
    { kind: 'b', safe: said('undecided', true), unsafe: said('safe') },
    { kind: 'b', safe: said('safe', true), unsafe: said('undecided') },
  ];

  test('count false alarms, what is caught, and what is left open', () => {
    expect(countFigures(judged)).toEqual({
      pairs: 4,
      falseAlarms: 0.25,
      caught: 0.5,
      undecided: 0.25,
      escalated: 0.25,
      bothRight: 0.25,
    });
    expect(countByKind(judged).map(({ kind, falseAlarms, caught }) => [kind, falseAlarms, caught])).toEqual([
      ['a', 0.5, 1],
      ['b', 0, 0],
    ]);
  });

  test('out of bounds are named', () => {
    const bounds = {
      falseAlarms: { most: 0.2 },
      caught: { least: 0.5 },
      open: { most: 0.5 },
      bothRight: { least: 0.3 },
    };
    expect(findBreaches(countFigures(judged), bounds)).toEqual([
      'false alarms 25.0 %, and at most 20.0 % are allowed',
      'both right 25.0 %, and at least 30.0 % are asked for',
    ]);
  });
});
