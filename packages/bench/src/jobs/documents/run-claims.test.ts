import { documentsJob } from '@agonhq/documents';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgon } from '@agonhq/core/app';
import { embeddedModel } from '@agonhq/models/reasoners';
import { boardroomSettings, startFakeBoardroom } from '@agonhq/test/support/fake-boardroom.ts';
import { analyzeClaimsWith } from './analyze-claims.ts';
import { readDataset } from '../../datasets/read-dataset.ts';
import { documentsBench } from './bench.ts';
import { buildDocumentsReport } from './report.ts';
import { openRecordFile } from '../../systems/results.ts';
import { readClaimResults, runClaims, type ClaimSystem } from './run-claims.ts';

let folder: string;
let reads = 0;

const agon = await createAgon(
  { seats: { default: embeddedModel }, documents: { method: 'single' } },
  { environment: { AGON_SECRET: 'for tests only, thirty-two characters' }, only: ['documents'] },
);
const system: ClaimSystem = {
  name: 'single',
  configuration: agon.provenanceOf(documentsJob).configuration,
  examine: analyzeClaimsWith((files, options) => {
    reads += 1;
    return agon.analyze(files, options);
  }),
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-claims-'));
  await writeFile(path.join(folder, 'league.csv'), 'team;wins;losses\nLions;12;4\nFoxes;9;7\nOtters;3;13\n');
  const filed = {
    context: [
      { id: 0, type: 'paragraph', context: 'The company makes lamps in two plants.' },
      { id: 1, type: 'paragraph', context: 'Net sales rose to $52.5 million in 2024.' },
    ],
  };
  await writeFile(path.join(folder, 'filing.json.gz'), gzipSync(JSON.stringify(filed)));
  await writeFile(
    path.join(folder, 'contracts.json'),
    JSON.stringify({ documents: [{ id: 4, text: 'The receiving party shall return all documents.' }] }),
  );
  const items = [
    { id: 'a', claim: 'Lions have 12 wins', label: 'entailed', doc: 'league.csv' },
    { id: 'b', claim: 'Foxes have 12 wins', label: 'refuted', doc: 'league.csv' },
    {
      id: 'c',
      claim: 'Net sales rose to $52.5 million in 2024.',
      label: 'entailed',
      doc: 'filing.json.gz',
      evidence_ids: [1],
    },
    { id: 'd', claim: 'The receiving party shall return all documents.', label: 'entailed', doc: 'contracts.json#4' },
    { id: 'e', claim: 'The lamp is green.', label: 'refuted', doc_text: 'The lamp on the desk is red and old.' },
    { id: 'f', claim: 'It is gone.', label: 'refuted', doc: 'nowhere.pdf' },
    { id: 'g', label: 'refuted', doc: 'league.csv' },
  ];
  await writeFile(path.join(folder, 'claims.jsonl'), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
});

afterAll(() => rm(folder, { recursive: true }));

test('a document is read once for all its claims, and what cannot be read is an error that is named', async () => {
  const data = await readDataset(documentsBench, path.join(folder, 'claims.jsonl'), {});
  const results = await readClaimResults(null);
  const errors: string[] = [];
  const run = await runClaims(system, data, {
    results,
    concurrency: 2,
    onError: ({ code }, line) => errors.push(`${line} ${code}`),
  });
  const { metrics, unsettled } = buildDocumentsReport(data, [run]).systems[0]!;
  expect(reads).toBe(4);
  expect(errors.toSorted()).toEqual(['6 unreadable-file', '7 broken-line']);
  expect(unsettled.failed).toEqual([{ line: 6, id: 'f' }, { line: 7 }]);
  expect(run.outcomes.slice(0, 4).map(({ judged }) => judged!.label)).toEqual([
    expect.stringMatching(/verified-strong|supported/),
    expect.stringMatching(/contradicted|unsupported/),
    expect.stringMatching(/verified-strong|supported/),
    expect.stringMatching(/verified-strong|supported/),
  ]);
  expect(metrics).toMatchObject({ failed: 2, undecided: 0, citationPrecision: 1, citationRecall: 1 });
});

test('a run that was stopped goes on from its results', async () => {
  const data = await readDataset(documentsBench, path.join(folder, 'claims.jsonl'), { limit: 3 });
  const out = path.join(folder, 'results.jsonl');
  for (const judged of [2, 0]) {
    const results = await readClaimResults(await openRecordFile(out));
    const run = await runClaims(system, data, { results, concurrency: 1 });
    await results.close();
    expect(run.summary.judged).toBe(judged);
    expect(run.outcomes.every((outcome) => outcome.judged !== null)).toBe(true);
  }
});

test('one answer about all claims of a document is counted once', async () => {
  const boardroom = await startFakeBoardroom();
  const judge = await createAgon(
    { ...boardroomSettings(boardroom), documents: { method: 'zero-shot' } },
    { environment: { AGON_SECRET: 'for tests only, thirty-two characters' }, only: ['documents'] },
  );
  const zeroShot: ClaimSystem = {
    name: 'zero-shot',
    configuration: judge.provenanceOf(documentsJob).configuration,
    examine: analyzeClaimsWith((files, options) => judge.analyze(files, options)),
  };
  const data = await readDataset(documentsBench, path.join(folder, 'claims.jsonl'), { limit: 2 });
  const run = await runClaims(zeroShot, data, { results: await readClaimResults(null), concurrency: 1 });
  const { calls, inputTokens, costUsd } = buildDocumentsReport(data, [run]).systems[0]!.usage;
  expect([calls, inputTokens, costUsd]).toEqual([
    judge.spent().calls,
    judge.spent().inputTokens,
    judge.spent().costUsd,
  ]);
  expect(calls).toBe(1);
  await judge.close();
  await boardroom.close();
});
