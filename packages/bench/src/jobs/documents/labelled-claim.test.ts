import { describe, expect, test } from 'vitest';
import { readLabelledClaim } from './labelled-claim.ts';

const read = (value: object, naming = {}) =>
  readLabelledClaim({ claim: 'Revenue rose.', doc: 'a.csv', label: 'entailed', ...value }, naming);

describe('a labelled claim', () => {
  test('has a claim, a label, a document and, where it says so, the parts that decide', () => {
    expect(read({ id: 7, evidence_ids: [3, 9] })).toEqual({
      id: '7',
      claim: 'Revenue rose.',
      label: 'entailed',
      source: { path: 'a.csv', entry: null },
      evidence: [3, 9],
      category: null,
      trivial: false,
      raters: null,
      modality: 'claim',
    });
    expect(read({}).evidence).toBeNull();
  });

  test('may name an entry of a file, or bring its text along', () => {
    expect(read({ doc: 'contracts.json#17' }).source).toEqual({ path: 'contracts.json', entry: '17' });
    expect(read({ doc_text: 'Revenue rose.' }).source).toEqual({ text: 'Revenue rose.' });
  });

  test.each([
    ['consistent', 'entailed'],
    ['entailment', 'entailed'],
    [1, 'entailed'],
    [true, 'entailed'],
    ['Inconsistent', 'refuted'],
    ['contradiction', 'refuted'],
    [0, 'refuted'],
    ['not mentioned', 'neutral'],
    ['neutral', 'neutral'],
  ] as const)('the label %s means %s', (label, meaning) => {
    expect(read({ label }).label).toBe(meaning);
  });

  test('fields and labels may have other names', () => {
    expect(
      readLabelledClaim(
        { statement: 'a', verdict: 'yes', doc: 'b' },
        { fields: { claim: 'statement', label: 'verdict' }, labels: { yes: 'entailed' } },
      ),
    ).toMatchObject({ claim: 'a', label: 'entailed' });
  });

  test.each([[{ claim: '' }], [{ label: 'constructor' }], [{ label: undefined }], [{ doc: undefined }]])(
    'a line that lacks something is refused: %j',
    (value) => {
      expect(() => read(value)).toThrow(expect.objectContaining({ code: 'broken-line' }));
    },
  );
});
