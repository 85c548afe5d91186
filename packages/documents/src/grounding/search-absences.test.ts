import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentOf, quarterlyReport } from '@agonhq/test/support/analysis-setup.ts';
import { noUsage, type Transcript } from '@agonhq/engine/debate';
import { searchAbsences } from './search-absences.ts';
import type { CrossExamination } from '../answers.ts';
import type { Dossier } from '../document.ts';

type Attack = CrossExamination['attacks'][number];

function crossExamination(attacks: readonly Partial<Attack>[]): Transcript {
  const answer = {
    statement: '',
    score: 0,
    attacks: attacks.map((attack) => ({
      premise: 0,
      kind: 'missing-data',
      point: '',
      evidence: [],
      missing: [],
      ...attack,
    })),
  };
  return [
    {
      kind: 'turn',
      key: 'cross-examination',
      inputHash: '',
      seat: 'cross-examination',
      role: 'dissenting',
      round: null,
      statement: '',
      score: 0,
      evidence: [],
      answer,
      reasoner: '',
      usage: noUsage,
      latencyMs: 0,
    },
  ];
}

const search = (missing: string[], dossier: Dossier = quarterlyReport) =>
  searchAbsences(crossExamination([{ missing }]), dossier)[0]!;

describe('a claim of absence', () => {
  test('is accepted when nothing like it is anywhere, with how many blocks were read', () => {
    expect(search(['profit margin', 'gross margin'])).toEqual({
      attack: 1,
      terms: ['profit margin', 'gross margin'],
      found: [],
      blocksRead: 5,
      accepted: true,
    });
  });

  test('is refused when the words are there, and says where', () => {
    const { accepted, found } = search(['churn', 'weaker currency']);
    expect(accepted).toBe(false);
    expect(found).toEqual([
      {
        term: 'weaker currency',
        place: { block: 'report.md#b3', start: expect.any(Number), end: expect.any(Number) },
        quote: 'A weaker currency also lifted reported revenue in APAC.',
        near: false,
      },
    ]);
    const { start, end } = found[0]!.place;
    expect(quarterlyReport.documents[0]!.text.slice(start, end)).toBe('weaker currency');
  });

  test.each([
    ['another form of the words', 'marketing strategies'],
    ['other capitals', 'CUSTOMER'],
    ['a slip of the pen', 'distribtor'],
    ['the words in another order within a sentence', 'revenue of APAC as reported'],
    ['a cell of a table', 'EMEA 2.7'],
    ['a heading', 'quarters'],
  ])('is refused by a near match: %s', (_what, term) => {
    const { accepted, found } = search([term]);
    expect(accepted).toBe(false);
    expect(found[0]).toMatchObject({ term, near: true });
  });

  test.each([
    ['the words in different sentences', 'campaign currency'],
    ['another number', 'EMEA 2.8'],
    ['a short word that is a letter off', 'rose'],
  ])('is accepted for %s', (_what, term) => {
    expect(search([term]).accepted).toBe(true);
  });

  test('is looked for in every file of the dossier', () => {
    const second = documentOf('notes.md', ['The profit margin was not audited.']);
    expect(search(['profit margin'], { documents: [...quarterlyReport.documents, second] })).toMatchObject({
      accepted: false,
      blocksRead: 6,
      found: [{ place: { block: 'notes.md#b1' } }],
    });
  });

  test('is found in a script without spaces', () => {
    const dossier = { documents: [documentOf('報告.md', ['第三四半期の売上高は増加した。'])] };
    expect(search(['売上高'], dossier).accepted).toBe(false);
    expect(search(['利益率'], dossier).accepted).toBe(true);
  });

  test('that names no words is not accepted', () => {
    expect(search([])).toMatchObject({ terms: [], accepted: false, blocksRead: 0 });
    expect(search([' … '])).toMatchObject({ terms: [], accepted: false });
  });

  test('is searched for each attack by its number, and only where something is said to be missing', () => {
    const searches = searchAbsences(
      crossExamination([{ kind: 'fallacy' }, { missing: ['churn'] }, { kind: 'outlier', missing: ['APAC'] }]),
      quarterlyReport,
    );
    expect(searches.map(({ attack, accepted }) => [attack, accepted])).toEqual([
      [2, true],
      [3, false],
    ]);
  });

  test('is never accepted for words that were taken from the document', () => {
    const { text } = quarterlyReport.documents[0]!;
    const words = [...text.matchAll(/\p{L}+/gu)].map((match) => match[0]);
    fc.assert(fc.property(fc.constantFrom(...words), (word) => !search([word]).accepted));
  });
});
