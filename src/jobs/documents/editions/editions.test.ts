import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hashAnswer } from '../../../debate/index.ts';
import { hashOf } from '../../../hash.ts';
import { readAnalysis, verifyAnalysis, type Analysis, type NumberFinding } from '../index.ts';
import { checkNumbers } from '../numbers/index.ts';
import { firstRulebook } from '../verdicts/rulebook.ts';
import { readArithmetic } from './recorded-arithmetic.ts';

/** Answers of the release 6a0e44e, which read numbers otherwise. */
const folder = path.join(import.meta.dirname, '../../../../test/fixtures/release-6a0e44e');
const cases = JSON.parse(brotliDecompressSync(readFileSync(path.join(folder, 'cases.json.br'))).toString()) as {
  name: string;
  answer: object;
}[];

function answerOf(wanted: string): Analysis {
  return readAnalysis(JSON.stringify(cases.find(({ name }) => name === wanted)!.answer), wanted);
}

/** Sealed again, as whoever forges it would. */
function reseal({ seal: _seal, ...analysis }: Analysis): Analysis {
  const claims = analysis.claims.map(({ seal: _own, ...claim }) => ({ ...claim, seal: hashAnswer(claim as never) }));
  const content = { ...analysis, claims };
  return { ...content, seal: hashOf(content) };
}

const wrongOf = (analysis: Analysis): string[] =>
  verifyAnalysis(analysis)
    .filter(({ outcome }) => outcome === 'wrong')
    .map(({ name }) => name);

/** The same analysis with a finding that is told otherwise, wherever it stands. */
function forge(analysis: Analysis, id: string, change: Partial<NumberFinding>): Analysis {
  const original = analysis.numbers.find((finding) => finding.id === id)!;
  const retell = (finding: NumberFinding): NumberFinding =>
    finding.arithmetic === original.arithmetic ? { ...finding, ...change } : finding;
  return reseal({
    ...analysis,
    numbers: analysis.numbers.map(retell),
    claims: analysis.claims.map((claim) => ({ ...claim, numbers: claim.numbers.map(retell) })),
  });
}

describe('an answer of the first edition', () => {
  const analysis = answerOf('documents: files of every kind');
  const [wrong] = analysis.numbers.filter(({ check }) => check === 'sum' || check === 'difference');
  const [held] = analysis.numbers.filter(({ outcome }) => outcome === 'holds');

  test('names no edition, and is decided by the rules of then', () => {
    expect(analysis.provenance).toMatchObject({ policy: { hash: firstRulebook.policy.hash } });
    expect(analysis.provenance.edition).toBeUndefined();
    expect(hashOf(firstRulebook.rules)).toBe(firstRulebook.policy.hash);
  });

  test('verifies by what it records, sealed again or not', () => {
    expect(wrongOf(analysis)).toEqual([]);
    expect(wrongOf(reseal(analysis))).toEqual([]);
  });

  test.each<[string, NumberFinding, Partial<NumberFinding>]>([
    ['an outcome', held!, { outcome: 'conflict', gap: 1 }],
    ['a result', held!, { arithmetic: held!.arithmetic.replace(/ = [\d.,]+/, ' = 99') }],
    ['a figure that it is computed of', wrong!, { arithmetic: wrong!.arithmetic.replace(/^[\d.,]+/, '12345') }],
    ['what is stated', held!, { arithmetic: held!.arithmetic.replace(/stated [\d.,]+/, 'stated 77') }],
    ['its place', held!, { places: [{ ...held!.places[0]!, start: 0, end: 2 }, ...held!.places.slice(1)] }],
    [
      'the cell it is said to be of',
      held!,
      { places: held!.places.map((place) => ({ ...place, cell: { row: 0, column: 0 } })) },
    ],
    [
      'what it says',
      held!,
      { statement: held!.statement.replace(/is the sum of its parts|agrees with/, 'disagrees with') },
    ],
    ['whom it quotes', held!, { statement: held!.statement.replace(/“[^”]*”/, '“Unheard-of ventures”') }],
    ['a line that no reader wrote', held!, { arithmetic: 'it simply is so' }],
  ])('does not with %s of a number finding changed', (_what, finding, change) => {
    expect(forge(analysis, finding.id, change)).not.toEqual(analysis);
    expect(wrongOf(forge(analysis, finding.id, change))).toContain('numbers');
  });

  test('does not with a finding left out of a claim that it touches', () => {
    const debate = answerOf('documents: debate');
    const claims = debate.claims.map((claim) => ({ ...claim, numbers: claim.numbers.slice(1) }));
    expect(wrongOf(reseal({ ...debate, claims }))).toContain('numbers');
  });

  test('does not with another verdict', () => {
    const claims = analysis.claims.map((claim) => ({
      ...claim,
      verdict: { ...claim.verdict, label: 'verified-strong' as const },
    }));
    expect(wrongOf(reseal({ ...analysis, claims }))).toContain('rules');
  });

  test('is not what an answer becomes whose edition is taken out, or unknown', () => {
    const policy = { name: 'documents', version: '2', hash: 'sha256:other' };
    const later = reseal({ ...analysis, provenance: { ...analysis.provenance, policy, edition: 99 } });
    expect(wrongOf(later)).toEqual(['rules']);
  });
});

describe('an answer of the second edition', () => {
  const file = path.join(import.meta.dirname, '../../../../test/fixtures/edition-2/analysis.json.br');
  const analysis = readAnalysis(brotliDecompressSync(readFileSync(file)).toString(), 'second.json');
  const find = (wanted: string): NumberFinding => analysis.numbers.find(({ check }) => check === wanted)!;

  test('verifies by what it records, though the reader of today finds less', () => {
    expect(analysis.provenance.edition).toBe(2);
    expect(checkNumbers(analysis).filter(({ outcome }) => outcome === 'conflict').length).toBeLessThan(
      analysis.numbers.filter(({ outcome }) => outcome === 'conflict').length,
    );
    expect(wrongOf(analysis)).toEqual([]);
  });

  test.each<[string, string, (finding: NumberFinding) => Partial<NumberFinding>]>([
    ['an outcome', 'direction', () => ({ outcome: 'conflict', gap: 0 })],
    ['a comparison', 'comparison', () => ({ outcome: 'holds' })],
    ['a figure', 'share', ({ arithmetic }) => ({ arithmetic: arithmetic.replace('64.0', '66.0') })],
    ['a figure among others', 'rank', ({ arithmetic }) => ({ arithmetic: arithmetic.replace('35.0', '36.5') })],
    ['a result', 'ratio', ({ arithmetic }) => ({ arithmetic: arithmetic.replace('= 2,', '= 3,') })],
    ['what is stated', 'threshold', ({ arithmetic }) => ({ arithmetic: arithmetic.replace('> 60', '> 77') })],
    ['a place', 'count', ({ places }) => ({ places: [places[0]!, { ...places[1]!, start: 0, end: 4 }] })],
  ])('does not with %s changed', (_what, check, change) => {
    const finding = find(check);
    const forged = forge(analysis, finding.id, change(finding));
    expect(forged).not.toEqual(analysis);
    expect(wrongOf(forged)).toContain('numbers');
  });

  test('does not with a claim that is said to be shown, and rests on nothing', () => {
    const [bare] = analysis.claims.filter(({ verdict }) => verdict.rule.id === 'no-support');
    const claims = analysis.claims.map((claim) =>
      claim === bare
        ? {
            ...claim,
            verdict: {
              ...claim.verdict,
              label: 'verified-strong' as const,
              rule: { ...claim.verdict.rule, id: 'withstood' as const },
            },
          }
        : claim,
    );
    expect(bare).toBeDefined();
    expect(wrongOf(reseal({ ...analysis, claims }))).toContain('rules');
  });
});

test('An answer of the third edition verifies, with the words that it had for what is not shown', () => {
  const file = path.join(import.meta.dirname, '../../../../test/fixtures/edition-3/analysis.json.br');
  const analysis = readAnalysis(brotliDecompressSync(readFileSync(file)).toString(), 'third.json');
  expect(analysis.provenance.edition).toBe(3);
  expect(analysis.claims.map(({ verdict }) => verdict.rule.why)).toContain(
    'Nothing that could be computed bears it out.',
  );
  expect(wrongOf(analysis)).toEqual([]);
  const later = { ...analysis, provenance: { ...analysis.provenance, edition: 5 } };
  expect(wrongOf(reseal(later))).toContain('rules');
});

test('An answer of the fourth edition verifies, though a word in it is held against the numbers by now', () => {
  const file = path.join(import.meta.dirname, '../../../../test/fixtures/edition-4/analysis.json.br');
  const analysis = readAnalysis(brotliDecompressSync(readFileSync(file)).toString(), 'fourth.json');
  expect(analysis.provenance.edition).toBe(4);
  expect(analysis.claims.find(({ subject }) => subject.text.startsWith('Revenue in Asia grew to'))).toMatchObject({
    verdict: { label: 'verified-strong' },
  });
  expect(wrongOf(analysis)).toEqual([]);
  const later = { ...analysis, provenance: { ...analysis.provenance, edition: 5 } };
  expect(wrongOf(reseal(later))).toContain('numbers');
});

describe('arithmetic on record is computed again', () => {
  test.each([
    ['4600 − 2714 = 1,886, stated 1900', 'near'],
    ['4.0 + 6.0 = 10, stated 10.0', 'same'],
    ['(4.6 − 4.0) / 4.0 = 15 %, stated 51 %', 'apart'],
    ['(120) + 30 = −90, stated (90)', 'same'],
    ['1.234,5 + 1,5 = 1,236, stated 1.236,0', 'same'],
    ['5 / (5 + 15) = 25 %, stated 25 %', 'same'],
    ['4.0 → 4.6, stated “grew”', 'same'],
    ['1760 / 4000 = 44 % → 1900 / 4600 = 41.3 %, stated “improved”', 'apart'],
    ['$10.9 million = 10.9', 'near'],
    ['stated 15 %, the table has 12 %', 'apart'],
    ['$5.0 million ≠ $6.0 million', 'apart'],
    ['12 % − 10 % = 2 %, stated 20 %', 'near'],
    ['$5 million is the value of FY2023; FY2024 has 6', null],
    ['$370.1 billion against 370.1 (370,100,000): a factor of 1000', null],
    ['€12.2 million is in EUR, 12,203 in USD', null],
  ])('%s: %s', (line, distance) => {
    expect(readArithmetic(line)).toMatchObject({ isRight: true, distance });
  });

  test.each([
    '4600 − 2714 = 1,986, stated 1900',
    '1900 / 4600 = 31.3 %, stated 45 %',
    '374.9 / 763.8 = 49.03 %, stated 49 %',
    '$370.1 billion against 370.1 (370,100,000): a factor of 1000000',
  ])('%s: wrong', (line) => {
    expect(readArithmetic(line)).toMatchObject({ isRight: false });
  });
});
