import { ownJobs } from '../own-jobs.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ana,
  demand,
  margin,
  minutes,
  nextYear,
  otherFirm,
  report,
  secondEdition,
} from '@agonhq/test/support/corrected-report.ts';
import { createAgon, renderReportFile, type Agon } from '../app/index.ts';
import { resultOf, sealAnswer } from '@agonhq/engine/debate';
import { readAnalysis, verifyAnalysis, type Analysis } from '@agonhq/documents';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { replay } from '../retrials/index.ts';
import { correctClaim, listCorrections, withdrawCorrection } from './correct-claim.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-corrections-'));
let agon: Agon;
let ledger: Ledger;
let files = 0;

beforeAll(async () => {
  ledger = await openLedger({ file: path.join(folder, 'ledger.sqlite') });
  agon = await createAgon({}, { only: ['documents'], ledger, environment: {}, secret: 'secret' });
});
beforeEach(async () => {
  for (const { id } of await ledger.corrections.listCorrections({ standing: true }))
    await ledger.corrections.withdrawCorrection(id, { by: 'the next test', why: null });
});
afterAll(async () => {
  await agon.close();
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

const analyse = (text: string, name = 'report.md') => agon.analyze([{ name, bytes: new TextEncoder().encode(text) }]);
const verdictOn = ({ claims }: Analysis, text: string) => claims.find(({ subject }) => subject.text === text)!;
const wrongIn = (analysis: Analysis) =>
  verifyAnalysis(readAnalysis(JSON.stringify(analysis), 'trace.json')).filter(({ outcome }) => outcome === 'wrong');
/** As somebody would who forges a trace. */
function sealed(analysis: Analysis): Analysis {
  const { seal: _, ...content } = analysis;
  return sealAnswer(content);
}
const correct = (analysis: Analysis, text: string, label: string, more: Partial<typeof ana> = {}) =>
  correctClaim(ownJobs, ledger, {
    case: analysis.id,
    claim: verdictOn(analysis, text).subject.id,
    label,
    ...ana,
    ...more,
  });

describe('a corrected claim', () => {
  test('on the same evidence takes the label of the person, and says whose it is', async () => {
    const before = await analyse(report);
    expect(verdictOn(before, margin).verdict).toMatchObject({ label: 'contradicted', rule: { id: 'number-conflict' } });
    expect(before.provenance.precedents).toBeNull();
    const { id, at } = await correct(before, margin, 'supported');

    const after = await analyse(report);
    expect(after.id).not.toBe(before.id);
    expect(verdictOn(after, margin)).toMatchObject({
      verdict: { label: 'supported', confidence: null, rule: { id: 'corrected' } },
      corrections: [{ id, likeness: 'same', alike: 'the same claim, on the same evidence', by: 'Ana Silva' }],
    });
    const { why } = verdictOn(after, margin).verdict.rule;
    expect(why).toContain(`Ana Silva corrected contradicted to supported on ${at.toISOString().slice(0, 10)}`);
    expect(why, 'the arithmetic is not hidden').toContain('1886 / 4600 = 41 %, stated 45 %');
    expect(after.outlook.brief).toContain(
      `By the correction of Ana Silva, “${margin.slice(0, -1)}” counts as supported.`,
    );
    expect(after.outlook.brief).not.toContain('contradicted by the documents');
    const synthesis = verdictOn(after, margin).transcript.find(({ key }) => key.endsWith('/synthesis'));
    expect(synthesis).toMatchObject({ statement: expect.stringContaining('Ana Silva said supported') as string });
    expect(verdictOn(after, demand).corrections).toBeUndefined();
    expect(wrongIn(after)).toEqual([]);
    expect(wrongIn(before), 'what was corrected stays what it was').toEqual([]);
  });

  test('of which a person says that it is contradicted is not so by their word: it is put beside the verdict', async () => {
    const before = await analyse(report);
    await correct(before, demand, 'contradicted', { why: 'The order book on page 9 shrank.' });
    const after = await analyse(report);
    expect(verdictOn(after, demand)).toMatchObject({
      verdict: { label: 'unsupported', rule: { id: 'no-support' }, escalate: true },
      corrections: [{ likeness: 'same', label: 'contradicted' }],
    });
    expect(after.outlook.brief).toContain('Ana Silva says that');
    expect(wrongIn(after)).toEqual([]);
  });

  test('in another edition, of another year or of another firm keeps its label, and is less sure', async () => {
    await correct(await analyse(report), margin, 'supported');
    const edition = await analyse(secondEdition);
    expect(verdictOn(edition, margin)).toMatchObject({
      verdict: { label: 'contradicted', confidence: 0.5, rule: { id: 'number-conflict' } },
      corrections: [
        { likeness: 'words', alike: 'the same words in another edition of the document, on other evidence' },
      ],
    });
    const later = await analyse(nextYear, 'halden-2025.md');
    expect(later.claims.find(({ subject }) => subject.text.includes('margin'))).toMatchObject({
      verdict: { label: 'contradicted', confidence: 0.5 },
      corrections: [{ likeness: 'wording', alike: '100 % of the words, in another edition of the document' }],
    });
    const other = await analyse(otherFirm, 'brent.md');
    expect(other.claims[0]).toMatchObject({
      verdict: { label: 'contradicted', confidence: 0.75 },
      corrections: [
        { likeness: 'kind', alike: 'the same kind of statement, bound alike: ratio(Gross profit, Revenue)' },
      ],
    });
    for (const analysis of [edition, later, other]) expect(wrongIn(analysis)).toEqual([]);
  });

  test('changes nothing about documents that it does not concern', async () => {
    const before = await analyse(minutes, 'minutes.md');
    await correct(await analyse(report), margin, 'supported');
    expect((await analyse(minutes, 'minutes.md')).id).toBe(before.id);
  });

  test('cannot be forged into a trace that holds', async () => {
    await correct(await analyse(report), margin, 'supported');
    const edition = await analyse(secondEdition);
    const forged = structuredClone(edition);
    const claim = verdictOn(forged, margin);
    claim.corrections![0]!.likeness = 'same';
    claim.verdict = { ...claim.verdict, label: 'supported' };
    expect(wrongIn(sealed(forged)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['corrections', 'rules']) as string[],
    );
  });
});

describe('what people say of claims', () => {
  test('is withdrawn: the next analysis is the one before it', async () => {
    const before = await analyse(report);
    const { id } = await correct(before, margin, 'supported');
    expect((await analyse(report)).id).not.toBe(before.id);
    expect(await withdrawCorrection(ledger, id, { by: 'Ana Silva', why: 'I misread it.' })).toMatchObject({
      withdrawn: { by: 'Ana Silva', why: 'I misread it.' },
    });
    expect(await analyse(report)).toMatchObject({ id: before.id, outlook: before.outlook });
    await expect(withdrawCorrection(ledger, id)).rejects.toMatchObject({ code: 'withdrawn-already' });
  });

  test('of two on the same claim the later one counts, across analyses too', async () => {
    const first = await analyse(report);
    await correct(first, margin, 'supported');
    const second = await analyse(report);
    await correctClaim(ownJobs, ledger, { case: second.id, claim: '2', label: 'mixed', why: 'In part.', by: 'Ben' });
    expect(verdictOn(await analyse(report), margin).verdict).toMatchObject({
      label: 'mixed',
      rule: { why: expect.stringMatching(/^Ben corrected supported to mixed/) as string },
    });
  });

  test('is in a replay what it was in the trial, whatever was said or withdrawn since', async () => {
    const { id } = await correct(await analyse(report), margin, 'supported');
    const trial = await analyse(report);
    await withdrawCorrection(ledger, id);
    const again = await resultOf(
      replay(ledger, trial.id, {}, { jobs: ownJobs, parts: { environment: {}, secret: 'secret' } }),
    );
    expect(again).toMatchObject({ flipped: false, differences: [], argued: [], notes: [] });
    expect(again.answer.provenance).toEqual(trial.provenance);
  });

  test('can be left out of a replay, and the rules decide again', async () => {
    const { id } = await correct(await analyse(report), margin, 'supported');
    const trial = await analyse(report);
    const parts = { environment: {}, secret: 'secret' };
    const without = await resultOf(replay(ledger, trial.id, { withoutPrecedent: [id] }, { jobs: ownJobs, parts }));
    expect(without.changes).toEqual([`without precedent ${id}`]);
    expect(verdictOn(without.answer as Analysis, margin).verdict.label).toBe('contradicted');
    await expect(
      resultOf(replay(ledger, trial.id, { withoutPrecedent: ['cor-0'] }, { jobs: ownJobs, parts })),
    ).rejects.toMatchObject({
      code: 'precedent-not-shown',
      hint: expect.stringContaining(id) as string,
    });
  });

  test('is told once in a brief where it decides', async () => {
    await correct(await analyse(report), margin, 'supported');
    const trial = await analyse(report);
    const table = new TextDecoder().decode(await renderReportFile(trial, 'csv'));
    expect(table.split(ana.why.replace(/\.$/, ''))).toHaveLength(2);
  });

  test('is forgotten with the documents', async () => {
    const text = report.replaceAll('Halden', `Firm ${(files += 1)}`);
    const before = await analyse(text);
    await correct(before, margin, 'supported');
    const { subject } = (await ledger.cases.findCase(before.id))!;
    await ledger.cases.forgetSubject(subject);
    expect(await listCorrections(ledger, { case: before.id })).toEqual([]);
  });

  test.each([
    ['a claim that is not there', { claim: '12' }, 'unknown-claim'],
    ['an analysis that is not there', { case: 'docs-0' }, 'unknown-case'],
    ['the label that it has', { label: 'contradicted' }, 'same-label'],
    ['a label that claims do not have', { label: 'false' }, 'bad-correction'],
    ['no reason', { why: ' ' }, 'bad-correction'],
  ])('is refused with %s', async (_, change, code) => {
    const { id } = await analyse(report);
    await expect(
      correctClaim(ownJobs, ledger, { case: id, claim: 'claim-02', label: 'supported', ...ana, ...change }),
    ).rejects.toMatchObject({ code, hint: expect.stringMatching(/\S/) as string });
    expect(await listCorrections(ledger, { case: id, standing: true })).toEqual([]);
  });
});
