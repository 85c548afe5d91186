import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Content } from '@agonhq/judges/moderation';
import { fitCalibration } from '../calibration/fit-calibration.ts';
import { readDataset } from '../datasets/read-dataset.ts';
import { moderationBench } from '../jobs/moderation/bench.ts';
import { buildModerationReport } from '../jobs/moderation/report.ts';
import { openSafetyResults, runSafetySystem, type SafetyJudgement } from '../jobs/safety/run-safety.ts';
import type { BenchSystem } from './system.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-'));
});

/** Reads the score off the text, fails at `boom` and does not decide on `hm`. */
function reader(
  name = 'reader',
  configuration = 'sha256:1',
): BenchSystem<Content, SafetyJudgement> & { asked: Content[] } {
  const asked: Content[] = [];
  return {
    name,
    configuration,
    asked,
    judge: async (content) => {
      asked.push(content);
      if (content.text === 'boom') throw new AgonError('test/boom', 'It went off.', 'Run.');
      if (content.text === 'hm') return { label: 'undecided', score: null, probability: null };
      const score = Number(content.text);
      return {
        label: score >= 0.5 ? 'unsafe' : 'safe',
        score,
        probability: null,
        usage: { calls: 1, inputTokens: 10, outputTokens: 1, cachedTokens: 0, costUsd: 0.5 },
      };
    },
  };
}

async function dataOf(lines: readonly (object | string)[], limit?: number) {
  const file = path.join(folder, 'data.jsonl');
  await writeFile(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return readDataset(moderationBench, file, { limit });
}

async function run(
  system: BenchSystem<Content, SafetyJudgement>,
  data: Awaited<ReturnType<typeof dataOf>>,
  out?: string,
) {
  const results = await openSafetyResults(out);
  const errors: string[] = [];
  const done = await runSafetySystem(system, data, {
    results,
    concurrency: 3,
    onError: (error, line) => errors.push(`${line} ${error.code}`),
  });
  await results.close();
  return { ...done, errors };
}

const mixed = [
  '\uFEFF{"id":"a","text":"0.9","label":"unsafe","category":"one","looks_like_refusal":false}',
  { id: 'b', text: '0.2', label: 'safe', category: 'one', looks_like_refusal: true },
  '{"id":"c","text":',
  { id: 'd', text: 'boom', label: 'unsafe', category: 'two' },
  { id: 'e', text: 'hm', label: 'safe', category: 'two' },
  { id: 'f', text: '0.7', label: 'unsafe', category: 'two' },
];

describe('a system over labelled data', () => {
  test('gives the figures of the contract; what was not decided is an error', async () => {
    const data = await dataOf(mixed);
    const done = await run(reader(), data);
    expect(done.errors).toEqual(['3 broken-line', '4 test/boom']);
    const {
      systems: [system],
      ...report
    } = buildModerationReport(data, [[done]]);
    expect(report).toEqual({
      version: 1,
      job: 'moderation',
      data: {
        file: 'data.jsonl',
        sha256: expect.stringMatching(/^[\da-f]{64}$/),
        items: 6,
        unsafe: 3,
        images: { described: 0, files: 0 },
        by: 'category',
      },
    });
    expect(system).toMatchObject({
      name: 'reader',
      metrics: { accuracy: 3 / 6, precision: 2 / 3, recall: 2 / 3, f1: 4 / 7, undecided: 1, failed: 2 },
      intervals: { f1: [expect.any(Number), expect.any(Number)] },
      withoutRefusals: { items: 5, metrics: { accuracy: 2 / 5 } },
      categories: [
        { category: 'one', items: 2, unsafe: 1, accuracy: 1, f1: 1 },
        { category: 'two', items: 3, unsafe: 2, accuracy: 1 / 3, undecided: 1, failed: 1 },
      ],
      usage: { calls: 3, inputTokens: 30, costUsd: 1.5 },
      latencyMs: { p50: expect.any(Number), p95: expect.any(Number) },
      itemsPerSecond: expect.any(Number),
    });
  });

  test('is compared with the first system on the same items', async () => {
    const data = await dataOf(mixed);
    const all: BenchSystem<Content, SafetyJudgement> = {
      name: 'all',
      configuration: 'all',
      judge: async () => ({ label: 'unsafe', score: 1, probability: 0.6 }),
    };
    const report = buildModerationReport(data, [[await run(reader(), data)], [await run(all, data)]]);
    expect(report.systems.map(({ behindFirst }) => behindFirst)).toEqual([
      undefined,
      {
        first: 'reader',
        f1: 4 / 7 - 6 / 9,
        interval: expect.any(Array),
        accuracy: { value: 0, interval: expect.any(Array) },
      },
    ]);
    expect(report.systems[1]!.metrics.ece).toBeCloseTo(Math.abs(0.6 - 3 / 5), 12);
  });

  test('goes on from its results file: only what has no result is asked again, and the figures are the same', async () => {
    const data = await dataOf(mixed);
    const out = path.join(folder, 'results.jsonl');
    const whole = buildModerationReport(data, [[await run(reader(), data)]]).systems[0]!;
    await run(reader(), await dataOf(mixed, 2), out);
    const again = reader();
    const resumed = buildModerationReport(data, [[await run(again, data, out)]]).systems[0]!;
    expect(again.asked.map(({ id }) => id)).toEqual(['d', 'e', 'f']);
    const { latencyMs: _, itemsPerSecond: __, ...figures } = whole;
    expect(resumed).toMatchObject(figures);
    expect((await readFile(out, 'utf8')).trim().split('\n')).toHaveLength(6);
  });

  test('does not take over what another configuration, another system or another text was judged by', async () => {
    const data = await dataOf([{ id: 'a', text: '0.9', label: 1 }]);
    const out = path.join(folder, 'results.jsonl');
    await run(reader(), data, out);
    const others = [reader('reader', 'sha256:2'), reader('other'), reader()];
    for (const system of others.slice(0, 2)) await run(system, data, out);
    await run(others[2]!, await dataOf([{ id: 'a', text: '0.8', label: 1 }]), out);
    expect(others.map(({ asked }) => asked.length)).toEqual([1, 1, 1]);
    const same = reader();
    expect((await run(same, data, out)).itemsPerSecond).toBeNull();
    expect(same.asked).toEqual([]);
  });
});

describe('data that is not there', () => {
  test('is named with what was not measured', async () => {
    await expect(readDataset(moderationBench, path.join(folder, 'none.jsonl'), {})).rejects.toMatchObject({
      code: 'unreadable-file',
      message: expect.stringMatching(/no such file\. Nothing on none\.jsonl was measured\.$/),
    });
  });

  test('nor is an empty file measured', async () => {
    await expect(dataOf([])).rejects.toMatchObject({ code: 'empty-data' });
  });
});

describe('a calibration', () => {
  const overconfident = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const unsafe = index % 2 === 0;
      const right = index % 10 < 7;
      return { id: `i${index}`, text: unsafe === right ? '0.98' : '0.02', label: unsafe };
    });

  test('brings scores that promise too much near to what is true, by cross-validation', async () => {
    const data = await dataOf(overconfident(1000));
    const { metrics, ...fitted } = fitCalibration('moderation', [{ data, run: await run(reader(), data) }]);
    expect(fitted).toMatchObject({
      version: 1,
      configuration: 'sha256:1',
      method: 'platt',
      items: 1000,
      fittedOn: [{ file: 'data.jsonl', items: 1000 }],
      band: [expect.any(Number), expect.any(Number)],
    });
    expect(fitted.a).toBeLessThan(0.5);
    expect(metrics.before.ece).toBeGreaterThan(0.2);
    expect(metrics.after.ece).toBeLessThan(0.05);
    expect(metrics.after.brier!).toBeLessThan(metrics.before.brier!);
  });

  test('fits a temperature alone when there are few items', async () => {
    const data = await dataOf(overconfident(20));
    expect(fitCalibration('moderation', [{ data, run: await run(reader(), data) }])).toMatchObject({
      method: 'temperature',
      b: 0,
    });
  });

  test.each<[string, { text: string; label: number }[]]>([
    [
      'one class is missing',
      [
        { text: '0.9', label: 1 },
        { text: 'boom', label: 0 },
      ],
    ],
    [
      'scores fall with the risk',
      [
        { text: '0.1', label: 1 },
        { text: '0.1', label: 1 },
        { text: '0.9', label: 0 },
        { text: '0.9', label: 0 },
      ],
    ],
  ])('is refused when %s', async (_name, lines) => {
    const data = await dataOf(lines);
    const done = await run(reader(), data);
    expect(() => fitCalibration('moderation', [{ data, run: done }])).toThrow(
      expect.objectContaining({ code: 'cannot-calibrate' }),
    );
  });
});
