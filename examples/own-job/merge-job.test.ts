import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAgon, createJobs, openLedger, renderReport, resultOf } from '@agonhq/agon';
import { afterAll, expect, test } from 'vitest';
import mergeJob from './merge-job.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-own-job-'));
const jobs = createJobs([mergeJob]);
const ready = { title: 'Greet by name', diff: '+export const greet = (name: string) => `Hello, ${name}!`;' };
const unready = { title: 'Log in', diff: '+const password = "hunter2"; // read it from the environment' };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function judge(pullRequest: typeof ready) {
  const ledger = await openLedger({ file: path.join(folder, 'ledger.db') });
  const agon = await createAgon({}, { jobs, ledger, environment: { AGON_SECRET: 'x'.repeat(32) } });
  try {
    const answer = await resultOf(agon.judge(mergeJob, { description: '', ...pullRequest }));
    return { answer, record: await ledger.cases.findCase(answer.id) };
  } finally {
    await agon.close();
    await ledger.close();
  }
}

test('a pull request without blockers is merged', async () => {
  const { answer } = await judge(ready);
  expect(answer.verdict).toMatchObject({ label: 'merge', rule: { id: 'no-blocker' }, degraded: [] });
});

test('a blocker that stands in the diff holds the merge, and is on record with its place', async () => {
  const { answer, record } = await judge(unready);
  expect(answer.verdict).toMatchObject({ label: 'hold', rule: { id: 'blocker' } });
  expect(answer.verdict.evidence).toEqual([
    { quote: unready.diff, source: 'diff', start: 0, end: unready.diff.length, verified: true },
  ]);
  expect(record).toMatchObject({ job: 'merge', label: 'hold', answer: { seal: answer.seal } });
});

test('its answers are verified, and one that was changed does not hold', async () => {
  const { answer } = await judge(unready);
  const given = { policy: (await createAgon()).policy, settings: {}, readDocuments: async () => ({ documents: [] }) };
  const outcomes = async (changed: typeof answer) =>
    (await mergeJob.verify(changed, given)).map(({ name, outcome }) => `${name}: ${outcome}`);
  expect(await outcomes(answer)).toEqual(['seal: ok', 'quotations: ok', 'rules: ok']);
  const forged = { ...answer, verdict: { ...answer.verdict, label: 'merge' } };
  expect(await outcomes(forged)).toEqual(['seal: wrong', 'quotations: ok', 'rules: wrong']);
});

test('it is reported like any other', async () => {
  const { answer } = await judge(unready);
  expect(await renderReport(answer, 'html', {}, jobs)).toContain('hunter2');
  expect(await renderReport(answer, 'markdown', {}, jobs)).toContain('# Verdict: `hold`');
  expect(await renderReport(answer, 'notice', {}, jobs)).toContain('Verdict: hold');
});
