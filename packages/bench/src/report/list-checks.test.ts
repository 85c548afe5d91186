import { describe, expect, test } from 'vitest';
import { makeUpResult, measureMadeUp } from '@agonhq/test/support/made-up-result.ts';
import { renderAnnotations, renderJunit, renderSarif } from '@agonhq/core/ci-reports';
import { listChecks } from './list-checks.ts';
import { readThresholds } from './thresholds.ts';
import type { Log } from 'sarif';

const systems = [
  { name: 'judge:openai:larch-1', kind: 'debate', skill: 3, rounds: 1 },
  { name: 'open', kind: 'baseline', skill: 1, undecided: 0.4, failed: 0.2 },
] as const;
const letters = measureMadeUp(makeUpResult({ items: 40, systems }));
const claims = measureMadeUp(
  makeUpResult({
    title: 'Claims, old',
    classes: ['entailed', 'refuted'],
    positive: null,
    items: 20,
    seed: 2,
    systems: [systems[0]],
  }),
);
const hostileBench = (name: string, undecided: number) => {
  const bench = measureMadeUp(makeUpResult({ items: 6, systems: [{ name, kind: 'baseline', skill: 1, undecided }] }));
  return { ...bench, result: { ...bench.result, data: { ...bench.result.data, title: name, file: name } } };
};

describe('a bench as JUnit', () => {
  const thresholds = readThresholds(['accuracy=.99,ece=1', 'f1=.5@Claims, old', 'open:accuracy=.01']);
  const xml = renderJunit('agon bench', listChecks([letters, claims], thresholds));

  test('there is a suite for each system on each set, and a test for each threshold and for what was left open', () => {
    expect(
      [...xml.matchAll(/<testsuite name="([^"]+)" tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)">/g)].map(
        (match) => match.slice(1),
      ),
    ).toEqual([
      ['Made-up letters / judge:openai:larch-1', '3', '1', '0'],
      ['Made-up letters / open', '2', '0', '1'],
      ['Claims, old / judge:openai:larch-1', '4', '2', '0'],
    ]);
    expect(xml).toContain('<testsuites name="agon bench" tests="9" failures="3" errors="0" skipped="1">');
  });

  test('items that failed leave a system open as undecided ones do, and nothing else does', () => {
    const outcomes = (undecided: number, failed: number) =>
      listChecks(
        [
          measureMadeUp(
            makeUpResult({ items: 40, systems: [{ name: 'x', kind: 'baseline', skill: 1, undecided, failed }] }),
          ),
        ],
        readThresholds([]),
      ).flatMap(({ name, outcome }) => (name === 'every item was decided' ? [outcome] : []));
    expect(outcomes(0.5, 0)).toEqual(['undecided']);
    expect(outcomes(0, 0.5)).toEqual(['undecided']);
    expect(outcomes(0, 0)).toEqual(['passed']);
  });

  test('a failure tells the figure with its interval and what was wanted', () => {
    expect(xml).toMatch(
      /name="accuracy ≥ 0\.99"><failure type="threshold" message="accuracy is 0\.\d{3} \(0\.\d{3}–[01]\.\d{3}\), wanted ≥ 0\.99"\/>/,
    );
    expect(xml).toContain('message="f1 cannot be measured on this data, wanted ≥ 0.5"');
    expect(xml).toMatch(/name="every item was decided"><skipped message="\d+ items undecided, \d+ failed"\/>/);
  });

  test('nothing in a name leaves its attribute or is forbidden in XML', () => {
    const hostile = hostileBench(`a"'<b>&\u0000\u001b[31m\ud800\u202e\uffff`, 0);
    const text = renderJunit('agon bench', listChecks([hostile], readThresholds(['accuracy=1'])));
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ud800-\udfff\u202e\uffff]/);
    expect(text).toContain('a&quot;&apos;&lt;b&gt;&amp;');
    expect(text.match(/</g)!.length).toBe(text.match(/>/g)!.length);
  });
});

describe('a bench as annotations', () => {
  test('an error for what fails, a warning for what is open, one at the line of each mistake, a notice for what holds', () => {
    const lines = renderAnnotations(listChecks([letters], readThresholds(['accuracy=.99,ece=1'])))
      .trimEnd()
      .split('\n');
    expect(lines[0]).toMatch(
      /^::error file=[^,]+,line=1,title=accuracy ≥ 0\.99 does not hold::accuracy is 0\.\d{3} \(.+\), wanted ≥ 0\.99$/,
    );
    expect(lines[1]).toMatch(/^::warning file=[^,]+,line=1,title=Undecided items::\d+ items undecided, \d+ failed$/);
    expect(lines[2]).toMatch(/^::warning file=[^,]+,line=\d+,title=\w+%2C labelled \w+::/);
    expect(lines.at(-1)).toMatch(/^::notice file=[^,]+,line=1,title=ece ≤ 1 holds::/);
  });

  test('no name starts a command of its own', () => {
    const text = renderAnnotations(
      listChecks([hostileBench('x\r\n::error::owned %0A,:\u2028', 1)], readThresholds(['accuracy=1'])),
    );
    expect(text.trimEnd().split(/[\r\n\u2028]/)).toHaveLength(2);
    expect(text).toContain('file=x%0A%3A%3Aerror%3A%3Aowned %250A%2C%3A ,line=1');
  });
});

test('a bench as SARIF has the missed thresholds, and every mistake of the first system at its line', () => {
  const log = JSON.parse(
    renderSarif(listChecks([letters], readThresholds(['accuracy=.99'])), { version: '1.2.3' }),
  ) as Log;
  const results = log.runs[0]!.results!;
  const { items, systems: ran } = letters.result;
  const wrong = items.filter(({ gold }, index) => ran[0]!.repeats[0]![index]!.said !== gold);
  expect(wrong.length).toBeGreaterThan(0);
  const mistakes = results.filter(({ ruleId }) => ruleId!.startsWith('mistake.'));
  expect(mistakes.map(({ locations }) => locations![0]!.physicalLocation!.region!.startLine)).toEqual(
    wrong.map(({ line }) => line),
  );
  expect(mistakes.every(({ level }) => level === 'note')).toBe(true);
  expect(results.filter(({ ruleId }) => ruleId === 'threshold')).toMatchObject([{ level: 'error' }]);
});
