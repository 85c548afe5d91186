import { describe, expect, test } from 'vitest';
import type { DocumentsReport } from '@agonhq/bench';
import { openCourt } from '../support/run-agon.ts';

const league = 'team,wins,losses\nLions,12,4\nFoxes,9,7\nOtters,3,13\n';
const items = [
  { id: 'a', claim: 'Lions have 12 wins', label: 'entailed', doc: 'league.csv' },
  { id: 'b', claim: 'Otters have the most wins', label: 'refuted', doc: 'league.csv' },
  {
    id: 'c',
    claim: 'The lamp on the desk is red.',
    label: 'consistent',
    doc_text: 'The lamp on the desk is red and old.',
  },
];
const lines = (some: readonly object[]) => some.map((item) => `${JSON.stringify(item)}\n`).join('');

async function openLibrary(some: readonly object[] = items) {
  const court = await openCourt();
  await court.file('league.csv', league);
  await court.file('claims.jsonl', lines(some));
  const bench = (...flags: string[]) =>
    court.agon(['bench', 'documents', '--data', 'claims.jsonl', '--model', 'embedded:guard-2', ...flags]);
  return { court, bench };
}

describe.concurrent('agon bench documents', () => {
  test('prints the figures in the shape that is fixed, system by system', async () => {
    const { bench } = await openLibrary();
    const { code, stdout, stderr } = await bench('--systems', 'full,single,zero-shot', '--json');
    // A slow machine shows progress before it.
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^full: 2 judged in [\d.]+ s: /m) });
    const report = JSON.parse(stdout) as DocumentsReport;
    expect(report).toMatchObject({
      version: 1,
      job: 'documents',
      data: { file: 'claims.jsonl', items: 3, labels: { entailed: 2, refuted: 1, neutral: 0 } },
    });
    expect(report.systems.map(({ name }) => name)).toEqual(['full', 'single', 'zero-shot']);
    expect(report.systems[0]).toMatchObject({
      metrics: { accuracy: 1, macroF1: 1, balancedAccuracy: 1, undecided: 0, failed: 0 },
      intervals: { accuracy: [expect.closeTo(0.438, 2), 1] },
      unsettled: { undecided: [], failed: [] },
    });
  });

  test('prints a table for people, and names what failed', async () => {
    const { bench } = await openLibrary([
      ...items,
      { id: 'd', claim: 'It is gone.', label: 'refuted', doc: 'nowhere.pdf' },
    ]);
    const { code, stdout, stderr } = await bench();
    expect(code).toBe(0);
    expect(stderr).toContain('claims.jsonl, embedded, line 4: nowhere.pdf cannot be read: there is no such file.');
    expect(stdout).toMatch(/^embedded +75\.0 /m);
    expect(stdout).toMatch(/^embedded +failed: nowhere\.pdf cannot be read.* 1 +d$/m);
  });

  test.each<[string, string[], RegExp]>([
    ['a system nobody knows', ['--systems', 'half'], /--systems half: there is no such system\. .*zero-shot/],
    ['a label that is none of ours', ['--map-label', 'yes=safe'], /a label means entailed, refuted or neutral\./],
    [
      'a field that no claim has',
      ['--map', 'prompt=x'],
      /an item has no such field\. Fields are id, label, claim, doc, doc_text, evidence_ids, category, raters\./,
    ],
  ])('refuses %s in one line', async (_what, flags, message) => {
    const { bench } = await openLibrary();
    const { code, stderr } = await bench(...flags);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
