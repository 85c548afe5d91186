import { expect, test } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import type { Analysis } from '../analysis.ts';
import { arrangeFindings, isOfKind, joinArithmetic, nameFindingSpeaker, nameVerdict } from './arrange-findings.ts';
import type { ListedFinding } from './list-findings.ts';

const documents = [documentOf('a.md', ['One. Two.']), documentOf('b.md', ['Three.'])];
const analysis = { documents } as unknown as Analysis;
const at = (index: number, start: number) => {
  const document = documents[index]!;
  const [block] = document.blocks;
  return { document, block, start, end: start + 1, quote: 'x', told: null, boxes: [], cells: [] } as never;
};

const findingOf = (id: string, more: object = {}): ListedFinding => ({
  id,
  claim: 1,
  verdict: 'supported',
  text: id,
  why: 'So it is said.',
  confidence: null,
  person: null,
  edit: null,
  corrections: [],
  numbers: [],
  heldBy: [],
  stated: null,
  places: [],
  ...more,
});
const numbers = (outcome: string, arithmetic: string) => [{ outcome, arithmetic }] as never;
const editOf = (more: object) =>
  ({ finding: '', by: 'ada', wording: null, note: null, leftOut: false, ...more }) as never;

const findings = [
  findingOf('strong', { verdict: 'verified-strong', confidence: 0.9, heldBy: numbers('holds', '2 + 2 = 4') }),
  findingOf('Bar', { confidence: 0.4, stated: at(1, 0), edit: editOf({ note: 'Look twice.' }) }),
  findingOf('wrong 10', { verdict: 'contradicted', numbers: numbers('conflict', '10 − 1 = 9'), stated: at(0, 5) }),
  findingOf('wrong 9', {
    verdict: 'conflict',
    claim: null,
    numbers: numbers('conflict', '3 + 3 = 7'),
    places: [at(0, 0)],
  }),
  findingOf('mixed', { verdict: 'mixed', person: { by: 'bo' }, corrections: ['bo said otherwise'], confidence: 0.4 }),
  findingOf('open', { verdict: 'unsupported', edit: editOf({ leftOut: true, wording: 'apple' }) }),
];
const arranged = (how: object) => arrangeFindings(findings, analysis, how as never).map(({ id }) => id);

test('the findings stand in the order that is asked for, and what is equal in that of the report', () => {
  expect(arranged({})).toEqual(findings.map(({ id }) => id));
  expect(arranged({ sort: 'verdict' })).toEqual(['wrong 10', 'wrong 9', 'mixed', 'open', 'Bar', 'strong']);
  expect(arranged({ sort: '-verdict' })).toEqual(['strong', 'Bar', 'open', 'mixed', 'wrong 9', 'wrong 10']);
  expect(arranged({ sort: 'finding' })).toEqual(['open', 'Bar', 'mixed', 'strong', 'wrong 9', 'wrong 10']);
  expect(arranged({ sort: 'said-by' })).toEqual(['mixed', 'strong', 'Bar', 'wrong 10', 'wrong 9', 'open']);
  expect(arranged({ sort: 'nonsense' })).toEqual(findings.map(({ id }) => id));
});

test('what has no value comes last, whichever way', () => {
  expect(arranged({ sort: 'confidence' })).toEqual(['Bar', 'mixed', 'strong', 'wrong 10', 'wrong 9', 'open']);
  expect(arranged({ sort: '-confidence' })).toEqual(['strong', 'Bar', 'mixed', 'wrong 10', 'wrong 9', 'open']);
  expect(arranged({ sort: 'where' })).toEqual(['wrong 9', 'wrong 10', 'Bar', 'strong', 'mixed', 'open']);
  expect(arranged({ sort: '-where' })).toEqual(['Bar', 'wrong 10', 'wrong 9', 'strong', 'mixed', 'open']);
  expect(arranged({ sort: 'arithmetic' }).slice(0, 3)).toEqual(['strong', 'wrong 9', 'wrong 10']);
});

test('those that are asked for are shown: by label, by conflicts of numbers, by what people did', () => {
  expect(arranged({ show: 'contradicted' })).toEqual(['wrong 10']);
  expect(arranged({ show: 'conflict' })).toEqual(['wrong 10', 'wrong 9']);
  expect(arranged({ show: 'corrected' })).toEqual(['mixed']);
  expect(arranged({ show: 'edited' })).toEqual(['Bar', 'open']);
  expect(arranged({ show: 'left-out' })).toEqual(['open']);
  expect(findings.filter((finding) => isOfKind(finding, 'supported')).map(({ id }) => id)).toEqual(['Bar']);
});

test('a search finds every word that is looked for, wherever it stands in a finding', () => {
  expect(arranged({ search: 'WRONG' })).toEqual(['wrong 10', 'wrong 9']);
  expect(arranged({ search: ' 3  wrong ' })).toEqual(['wrong 9']);
  expect(arranged({ search: 'otherwise' })).toEqual(['mixed']);
  expect(arranged({ search: 'twice' })).toEqual(['Bar']);
  expect(arranged({ search: 'apple' })).toEqual(['open']);
  expect(arranged({ search: 'so it is said', show: 'mixed' })).toEqual(['mixed']);
  expect(arranged({ search: 'numbers conflict' })).toEqual(['wrong 9']);
  expect(arranged({ search: 'wrong nowhere' })).toEqual([]);
});

test('a finding is named by its verdict, by whose word stands and by all its arithmetic', () => {
  expect([nameVerdict('conflict'), nameFindingSpeaker(findings[4]!), nameFindingSpeaker(findings[0]!)]).toEqual([
    'Numbers conflict',
    'bo',
    'Machine',
  ]);
  expect(joinArithmetic(findingOf('x', { numbers: numbers('conflict', '1'), heldBy: numbers('holds', '2') }))).toBe(
    '1\n2',
  );
});
