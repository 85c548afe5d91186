import { describe, expect, test } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import { findClaimNumbers } from './find-claim-numbers.ts';
import { checkNumbers, type NumberFinding, type NumberPlace } from '../numbers/index.ts';

const sentence = 'Revenue in APAC grew by 15% from Q2 2024 to Q3 2024.';
const dossier = {
  documents: [
    documentOf('report.md', [
      `${sentence} The weather was fine.`,
      [
        ['Revenue in million USD', 'Q2 2024', 'Q3 2024'],
        ['APAC', '4.0', '4.6'],
        ['EMEA', '3.0', '2.7'],
      ],
    ]),
  ],
};
const { text, blocks } = dossier.documents[0]!;
const at = (words: string): NumberPlace => ({
  block: `report.md#${blocks.find(({ start, end }) => start <= text.indexOf(words) && text.indexOf(words) < end)!.id}`,
  start: text.indexOf(words),
  end: text.indexOf(words) + words.length,
});
const claim = {
  id: 'claim-01',
  text: sentence,
  kind: 'assertion' as const,
  domain: '',
  importance: 1,
  origin: at(sentence),
};
const finding = (
  check: NumberFinding['check'],
  outcome: NumberFinding['outcome'],
  ...places: NumberPlace[]
): NumberFinding => ({ id: check, check, outcome, statement: '', arithmetic: '', places, gap: 0 });

describe('the number findings that touch a claim', () => {
  test('are those of its own statement, computed from the claim, and those of its sentence', () => {
    const stated = finding('units', 'conflict', at('15%'));
    const { findings, own } = findClaimNumbers(claim, dossier, [stated]);
    expect(findings.slice(0, own)).toContainEqual(stated);
    expect(findings.some(({ check, outcome }) => check !== 'units' && outcome === 'holds')).toBe(true);
    expect(own).toBe(findings.length);
  });

  test('then those about numbers it stands on; not those that were merely held to the same numbers', () => {
    const doesNotAddUp = finding('sum', 'conflict', at('3.0'), at('4.6'));
    const elsewhere = finding('statement-against-table', 'conflict', at('weather'), at('4.6'));
    const { findings, own } = findClaimNumbers(claim, dossier, [elsewhere, doesNotAddUp]);
    expect(findings.slice(own)).toEqual([doesNotAddUp]);
  });

  test('the same finding is counted once', () => {
    const [first] = findClaimNumbers(claim, dossier, []).findings;
    expect(findClaimNumbers(claim, dossier, [{ ...first!, id: 'other' }]).findings).toHaveLength(
      findClaimNumbers(claim, dossier, []).findings.length,
    );
  });

  test('a number that was checked at its place is not told again of the whole sentence', () => {
    const all = checkNumbers(dossier);
    expect(all.some(({ arithmetic }) => arithmetic.includes('15 %'))).toBe(true);
    const { findings } = findClaimNumbers(claim, dossier, all);
    expect(findings).toHaveLength(new Set(findings.map(({ arithmetic }) => arithmetic)).size);
    expect(findings.every(({ places: [stated] }) => stated!.end - stated!.start < sentence.length)).toBe(true);
  });

  test('a number is not found twice, once in the sentence and once in the claim that was drawn from it', () => {
    const all = checkNumbers(dossier);
    const { findings } = findClaimNumbers(claim, dossier, all);
    expect(findings.map(({ check, arithmetic }) => `${check}: ${arithmetic}`)).toEqual([
      ...new Set(all.map(({ check, arithmetic }) => `${check}: ${arithmetic}`)),
    ]);
    const rewritten = findClaimNumbers({ ...claim, text: `In the report: ${sentence}` }, dossier, all).findings;
    expect(rewritten).toHaveLength(findings.length);
  });

  test("of the user's own claim are computed from what it states", () => {
    const { findings, own } = findClaimNumbers(
      { ...claim, text: 'Revenue in APAC grew by 51% from Q2 2024 to Q3 2024.', origin: null },
      dossier,
      [],
    );
    expect(findings.slice(0, own).some(({ outcome }) => outcome === 'conflict')).toBe(true);
  });
});
