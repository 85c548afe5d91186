import { afterAll, describe, expect, test } from 'vitest';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { createAgon, type AgonParts } from '@agonhq/core/app';
import { memoryJournal, sealAnswer, type Calibration, type FittedCalibration } from '@agonhq/engine/debate';
import { defaultPolicy } from '@agonhq/engine/policy';
import { measureRisk } from '@agonhq/engine/statistics';
import { type ModerationAnswer, moderationJob } from './index.ts';
import { verifyAnswer } from './verify-answer.ts';

const post = 'Buy guns here, no papers needed.';
const panel = await startFakePanel({
  arbiter: { risk: { why: 'A sale.', evidence: ['no papers'], holds: true, clauses: ['weapons'] }, score: 0.9 },
});
const folder = await mkdtemp(path.join(tmpdir(), 'agon-calibrated-'));
afterAll(() => panel.close());

async function agonWith(calibration: string | undefined, parts: AgonParts = {}) {
  return createAgon(
    { ...panelSettings(panel), ...(calibration === undefined ? {} : { calibration }) },
    { environment: {}, secret: 'test', ...parts },
  );
}

async function calibrationFile(curve: Calibration, configuration?: string): Promise<string> {
  const fitted: FittedCalibration = {
    version: 1,
    job: 'moderation',
    configuration: configuration ?? (await agonWith(undefined)).provenanceOf(moderationJob).setup!,
    fittedOn: [],
    items: 100,
    method: 'platt',
    metrics: { before: { ece: 0, brier: 0 }, after: { ece: 0, brier: 0 } },
    ...curve,
  };
  const file = path.join(folder, `${Math.random()}.json`);
  await writeFile(file, JSON.stringify(fitted));
  return file;
}

const wrong = async (answer: ModerationAnswer) =>
  verifyAnswer(answer, { policy: await defaultPolicy(), source: post })
    .filter(({ outcome }) => outcome === 'wrong')
    .map(({ name }) => name);

describe('a calibrated configuration', () => {
  const curve: Calibration = { a: 0.5, b: -0.2, band: [0.4, 0.6] };

  test('makes a probability of the risk and moves its bar, leaves the label alone, and the answer holds', async () => {
    const answer = await (await agonWith(await calibrationFile(curve))).moderate(post);
    const plain = await (await agonWith(undefined)).moderate(post);
    expect(plain.verdict).toMatchObject({ risk: 0.9, bar: 0.5 });
    expect(answer.verdict).toEqual({
      ...plain.verdict,
      ...measureRisk(0.9, curve),
    });
    expect(answer.provenance).toEqual({ ...plain.provenance, calibration: curve });
    expect(await wrong(answer)).toEqual([]);
    expect(await wrong(plain)).toEqual([]);
  });

  test('sends a verdict to a person when its probability lies in the band', async () => {
    const answer = await (await agonWith(await calibrationFile({ ...curve, band: [0.4, 0.8] }))).moderate(post);
    expect(answer.verdict).toMatchObject({ label: 'unsafe', escalate: true });
    expect(await wrong(answer)).toEqual([]);
  });

  test('shows when a risk or a band was changed afterwards, even under a new seal', async () => {
    const answer = await (await agonWith(await calibrationFile(curve))).moderate(post);
    expect(await wrong(sealAnswer({ ...answer, verdict: { ...answer.verdict, risk: 0.1 } }))).toEqual(['rules']);
    expect(await wrong(sealAnswer({ ...answer, verdict: { ...answer.verdict, bar: 0.9 } }))).toEqual(['rules']);
    const wider = { ...answer.provenance, calibration: { ...curve, band: [0, 1] as [number, number] } };
    expect(await wrong(sealAnswer({ ...answer, provenance: wider }))).toEqual(['marks']);
  });

  test('asks nobody again when only the calibration changed: the verdict alone is computed anew', async () => {
    const journal = memoryJournal();
    const before = await (await agonWith(undefined, { journal })).moderate(post);
    const asked = panel.requests.length;
    const after = await (await agonWith(await calibrationFile(curve), { journal })).moderate(post);
    expect(panel.requests).toHaveLength(asked);
    expect([before.verdict.risk, after.verdict.risk]).toEqual([0.9, measureRisk(0.9, curve).risk]);
  });
});

describe('refused in one line', () => {
  test('a calibration of another configuration', async () => {
    const agon = await agonWith(await calibrationFile({ a: 1, b: 0, band: null }, 'sha256:another'));
    await expect(agon.moderate(post)).rejects.toMatchObject({
      code: 'calibration-mismatch',
      hint: expect.stringContaining('agon calibrate'),
    });
  });

  test('a calibration that is not there', async () => {
    await expect(agonWith(path.join(folder, 'nowhere.json'))).rejects.toMatchObject({
      code: 'unreadable-calibration',
      message: expect.stringContaining('nowhere.json'),
    });
  });
});
