import { describe, expect, test } from 'vitest';
import { moderationJob } from '@agonhq/judges/moderation';
import { moderate } from '../index.ts';
import { checkItem, renderAnnotations, renderJunit, renderSarif, type CiCheck } from './index.ts';
import type { Log } from 'sarif';

const passed: CiCheck = {
  suite: 'items.jsonl',
  name: 'a',
  outcome: 'passed',
  title: '',
  message: '',
  rule: { id: 'verdict.safe', description: 'A verdict of safe' },
  place: { file: 'safety/items.jsonl', line: 1 },
};
const failed: CiCheck = {
  ...passed,
  name: 'b',
  outcome: 'failed',
  title: 'unsafe: threats',
  message: 'Risk 0.97, bar 0.50.',
  rule: { id: 'policy.threats', description: 'Clause threats of the policy is broken' },
  place: { file: 'safety/items.jsonl', line: 2 },
  case: 'mod-1',
};
const readSarif = (checks: readonly CiCheck[], root = '/repository') =>
  (JSON.parse(renderSarif(checks, { version: '1.2.3', root })) as Log).runs[0]!;

describe('an item as a check', () => {
  const options = { job: moderationJob, file: 'items.jsonl', failOn: ['unsafe'] };

  test('fails by its verdict, with the clause, the risk, the words it rests on and the case', async () => {
    const result = await moderate('I will find you tonight and I will kill you.');
    const check = checkItem({ line: 4, key: 'b', result }, options);
    expect(check).toMatchObject({
      outcome: 'failed',
      suite: 'items.jsonl',
      name: 'b',
      place: { file: 'items.jsonl', line: 4 },
      case: result.id,
      rule: { id: `policy.${result.verdict.categories[0]!.clause}` },
    });
    expect(check.title).toMatch(/^unsafe: /);
    expect(check.message).toContain('kill you');
    expect(check.message).toContain(result.id);
    expect(checkItem({ line: 4, key: 'b', result }, { ...options, failOn: ['undecided'] }).outcome).toBe('passed');
  });

  test('without a result is broken, and says why', () => {
    const error = { code: 'broken-line', message: 'The line is not JSON.' };
    expect(checkItem({ line: 9, key: '9', error }, { ...options, file: null })).toMatchObject({
      outcome: 'broken',
      suite: 'standard input',
      name: 'line 9',
      message: 'The line is not JSON. (broken-line)',
      place: null,
    });
  });
});

describe('JUnit', () => {
  test('counts failures, errors and what was left open, and leaves out what is only noted', () => {
    const checks: CiCheck[] = [
      passed,
      failed,
      { ...failed, outcome: 'broken', name: 'c' },
      { ...failed, outcome: 'undecided', name: 'd' },
      { ...failed, outcome: 'noted', name: 'e' },
    ];
    const xml = renderJunit('agon evaluate', checks);
    expect(xml).toContain('<testsuites name="agon evaluate" tests="4" failures="1" errors="1" skipped="1">');
    expect(xml).toContain('name="b"><failure type="policy.threats" message="Risk 0.97, bar 0.50."/></testcase>');
    expect(xml).not.toContain('name="e"');
  });

  test('of nothing is a document all the same', () => {
    expect(renderJunit('agon evaluate', [])).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<testsuites name="agon evaluate" tests="0" failures="0" errors="0" skipped="0">\n</testsuites>\n',
    );
  });
});

describe('annotations', () => {
  test('stand at the line of the item; what passed without a word has none', () => {
    expect(renderAnnotations([passed, failed])).toBe(
      '::error file=safety/items.jsonl,line=2,title=unsafe%3A threats::Risk 0.97, bar 0.50.\n',
    );
  });

  test('are ten of a kind at most, of which the last says how many more there are', () => {
    const lines = renderAnnotations(Array.from({ length: 25 }, () => failed))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('::error title=and 16 more::25 in all; the report has every one.');
  });
});

describe('SARIF', () => {
  test('has a result for each finding, with its rule, level, place and fingerprint', () => {
    const { tool, results } = readSarif([passed, failed, { ...failed, name: 'c' }]);
    expect(tool.driver).toMatchObject({ name: 'Agon', semanticVersion: '1.2.3' });
    expect(tool.driver.rules).toEqual([
      {
        id: 'policy.threats',
        shortDescription: { text: 'Clause threats of the policy is broken' },
        defaultConfiguration: { level: 'error' },
      },
    ]);
    expect(results).toHaveLength(2);
    expect(results![0]).toMatchObject({
      ruleId: 'policy.threats',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'unsafe: threats. Risk 0.97, bar 0.50.' },
      properties: { case: 'mod-1' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'safety/items.jsonl' }, region: { startLine: 2 } } }],
    });
    const [one, two] = results!.map(({ partialFingerprints }) => partialFingerprints!['agonCheck/v1']);
    expect(one).not.toBe(two);
  });

  test('a finding keeps its fingerprint when its line moves', () => {
    const moved = { ...failed, place: { file: 'safety/items.jsonl', line: 40 } };
    const [before, after] = [failed, moved].map((check) => readSarif([check]).results![0]!.partialFingerprints);
    expect(after).toEqual(before);
  });

  test.each([
    ['/repository/safety/a b#1.jsonl', 'safety/a%20b%231.jsonl'],
    ['../elsewhere.jsonl', 'file:///elsewhere.jsonl'],
  ])('%s is found at %s', (file, uri) => {
    const { results } = readSarif([{ ...failed, place: { file, line: 1 } }]);
    expect(results![0]!.locations![0]!.physicalLocation!.artifactLocation!.uri).toBe(uri);
  });
});
