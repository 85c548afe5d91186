import { describe, expect, test } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import type { Claim, ClaimVerdict, RecalledCorrection } from '../analysis.ts';
import type { NumberFinding } from '../numbers/finding.ts';
import { describeMatter, dropPeriods, listNames, sampleSentences, type ClaimMatter } from './claim-matter.ts';
import { likenesses, recallCorrections, selectCorrections, weighCorrections } from './weigh-corrections.ts';

const growth = 'growth(Revenue[FY2024], Revenue[FY2023])';
const text = 'Revenue grew by 15 % in 2024.';
const claim: Claim = { id: 'claim-01', text, kind: 'assertion', domain: '', importance: 1, origin: null };

const matterOf = (more: Partial<ClaimMatter> = {}): ClaimMatter => ({
  documents: [{ name: 'report.md', hash: 'sha256:a', sentences: ['1', '2', '3', '4', '5'] }],
  statements: [],
  evidence: 'sha256:evidence',
  ...more,
});
const elsewhere = [{ name: 'other.md', hash: 'sha256:z', sentences: [] }];

const correctionOf = (more: object = {}) => ({
  id: 'c-1',
  case: 'docs-1',
  claim: 'claim-01',
  text,
  verdict: 'supported',
  label: 'unsupported',
  why: 'It is not said.',
  by: 'ada',
  at: '2026-01-02T10:00:00.000Z',
  matter: matterOf(),
  ...more,
});

describe('a correction is recalled', () => {
  const likenessTo = (now: Partial<ClaimMatter>, before: object, said = text) =>
    recallCorrections({ text: said }, matterOf(now), [correctionOf(before)])[0]?.likeness ?? null;
  const other = { evidence: 'sha256:other', documents: [{ name: 'x.md', hash: 'sha256:x', sentences: [] }] };

  test('as the same where the words are, on the same files or the same evidence', () => {
    expect(likenessTo({}, {})).toBe('same');
    expect(likenessTo({ evidence: 'sha256:new' }, {}, ` ${text.replace(' ', '\n')}`)).toBe('same');
    expect(likenessTo({ documents: elsewhere }, {})).toBe('same');
    expect(likenessTo({ ...other }, {})).toBeNull();
    const [own] = matterOf().documents;
    expect(likenessTo({ evidence: 'sha256:new', documents: [own!, ...elsewhere] }, {})).toBe('words');
  });

  test('as alike in words, in wording or in what it states where the documents have to do with each other', () => {
    const [now, edition] = [
      { evidence: 'sha256:new' },
      { name: 'b.md', hash: 'sha256:b', sentences: ['1', '2', '3', '8', '9'] },
    ];
    expect(likenessTo({ ...now, documents: [edition] }, {})).toBe('words');
    expect(likenessTo(now, {}, 'In 2023 revenue grew by 9 %.')).toBe('wording');
    expect(likenessTo({ ...now, documents: elsewhere }, {}, 'In 2023 revenue grew by 9 %.')).toBeNull();
    const stating = matterOf({ statements: [growth] });
    expect(likenessTo({ ...now, statements: [growth] }, { matter: stating }, 'Sales went up much.')).toBe('statement');
    expect(likenessTo({ ...now, statements: [growth] }, {}, 'Sales went up much.')).toBeNull();
  });

  test('as of the same kind where it states the same of another period, in any documents', () => {
    const earlier = matterOf({ statements: ['growth(Revenue[FY2022], Revenue[FY2021])'], documents: elsewhere });
    expect(likenessTo({ ...other, statements: [growth] }, { matter: earlier }, 'Up.')).toBe('kind');
    expect(
      likenessTo({ ...other, statements: ['growth(Costs[FY2024], Costs[FY2023])'] }, { matter: earlier }, 'Up.'),
    ).toBeNull();
  });

  test('by how many sentences two documents share, or by a name without its numbers', () => {
    const now = { evidence: 'sha256:new' };
    const sharing = (sentences: string[], name = 'b.md') =>
      likenessTo({ ...now, documents: [{ name, hash: 'sha256:b', sentences }] }, {});
    // Of the five smallest of both together one is in both: a fifth.
    expect(sharing(['1', '6', '7', '8', '9'])).toBe('words');
    expect(sharing(['6', '7', '8', '9', '99'])).toBeNull();
    expect(sharing([], 'Report 2025 (v2).pdf')).toBe('words');
    expect(sharing([], 'annual report.md')).toBeNull();
  });

  test('the nearest first, then the latest, five at most; what cannot be read is left out', () => {
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
    const wording = 'Revenue grew by 9 % in 2023.';
    const corrections = [
      correctionOf({ id: 'w', text: wording, at: at(9) }),
      ...[3, 1, 5, 2, 4].map((day) => correctionOf({ id: `s-${day}`, at: at(day) })),
      correctionOf({ id: 'a-5', at: new Date(at(5)) }),
      correctionOf({ id: 'broken', matter: { documents: 1 } }),
    ];
    const recalled = recallCorrections({ text }, matterOf(), corrections);
    expect(recalled.map(({ id }) => id)).toEqual(['a-5', 's-5', 's-4', 's-3', 's-2']);
    expect(recallCorrections({ text }, matterOf(), corrections.slice(0, 2) as never).map(({ id }) => id)).toEqual([
      's-3',
      'w',
    ]);
    expect(recalled[0]).toMatchObject({
      at: at(5),
      case: 'docs-1',
      claim: 'claim-01',
      label: 'unsupported',
      by: 'ada',
    });
  });
});

describe('a verdict in the light of corrections', () => {
  const verdict = {
    label: 'supported',
    confidence: 0.9,
    escalate: false,
    rule: { id: 'not-computed', why: 'The customers\nsay so.' },
  } as ClaimVerdict;
  const recalled = (likeness: (typeof likenesses)[number], label: string): RecalledCorrection =>
    ({ ...correctionOf({ label }), likeness, alike: '' }) as unknown as RecalledCorrection;
  const weigh = (...all: RecalledCorrection[]) => weighCorrections(verdict, all);

  test('is as it was without any, and where the person said the same', () => {
    expect(weigh()).toBe(verdict);
    expect(weigh(recalled('same', 'supported'))).toBe(verdict);
  });

  test('follows the word of a person on the same claim, and says whose word by which rule', () => {
    expect(weigh(recalled('same', 'unsupported'))).toMatchObject({
      label: 'unsupported',
      confidence: null,
      escalate: false,
      rule: {
        id: 'corrected',
        why:
          'ada corrected supported to unsupported on 2026-01-02: It is not said. ' +
          'By the rules it is supported (not computed): The customers say so.',
      },
    });
    expect(weigh(recalled('same', 'undecided'))).toMatchObject({ label: 'undecided', escalate: true });
  });

  test('becomes nothing that only code can show: a person looks at it', () => {
    for (const label of ['verified-strong', 'contradicted'])
      expect(weigh(recalled('same', label))).toEqual({ ...verdict, escalate: true });
  });

  test('is less sure where a claim alike was turned the other way, and keeps its label', () => {
    const sure = (...all: RecalledCorrection[]) => {
      const weighed = weigh(...all);
      expect(weighed).toEqual({ ...verdict, confidence: weighed.confidence });
      return weighed.confidence;
    };
    expect(sure(recalled('words', 'unsupported'))).toBe(0.5);
    expect(sure(recalled('wording', 'contradicted'))).toBe(0.5);
    expect(sure(recalled('statement', 'mixed'))).toBe(0.5);
    expect(sure(recalled('kind', 'unsupported'))).toBe(0.75);
    expect(sure(recalled('kind', 'unsupported'), recalled('words', 'mixed'))).toBe(0.5);
    expect(sure(recalled('words', 'verified-strong'))).toBe(0.9);
    const doubtful = { ...verdict, confidence: 0.3 };
    expect(weighCorrections(doubtful, [recalled('words', 'mixed')]).confidence).toBe(0.3);
    const unsaid = { ...verdict, confidence: null };
    expect(weighCorrections(unsaid, [recalled('words', 'mixed')])).toBe(unsaid);
  });
});

describe('the corrections of a dossier', () => {
  const report = documentOf('report.md', ['Revenue grew in Europe. The other costs fell by half last year.']);
  const dossier = { documents: [report] };
  const [own] = describeMatter(claim, { dossier, sources: [], numbers: [], all: [] }).documents;
  const concerned = (...corrections: object[]) =>
    selectCorrections({ version: null, corrections: corrections as never }, dossier);

  test('are those on its documents, and on statements whose names it has', () => {
    const onIt = correctionOf({ id: 'on', matter: matterOf({ documents: [own!] }) });
    const named = correctionOf({
      id: 'named',
      matter: matterOf({ documents: elsewhere, statements: ['ratio(Europe[FY2024], Revenue[FY2024])'] }),
    });
    const strange = correctionOf({
      id: 'no',
      matter: matterOf({ documents: elsewhere, statements: ['ratio(Asia[FY2024], Revenue[FY2024])'] }),
    });
    const broken = correctionOf({ id: 'broken', matter: 7 });
    const { version, corrections } = concerned(named, strange, onIt, broken);
    expect(corrections.map(({ id }) => id)).toEqual(['named', 'on']);
    expect(version).toBe(concerned(onIt, named).version);
    expect(version).not.toBe(concerned(onIt).version);
    expect(concerned(strange, broken)).toEqual({ version: null, corrections: [] });
  });

  test('are those of its trial where it is held again', () => {
    const known = { version: 'sha256:then', corrections: [correctionOf({ matter: 7 })] as never };
    expect(selectCorrections(known, dossier)).toBe(known);
  });
});

describe('what a correction keeps of a claim', () => {
  const report = documentOf('report.md', [
    'Revenue in Europe grew by 15 % in 2024. It rose. The plan was the main reason for it.',
    [
      ['Region', 'Revenue'],
      ['Europe and the rest of the world', '4'],
    ],
  ]);
  const dossier = { documents: [report] };
  const finding = (program: string | undefined, start = 0, block = 'report.md#b1'): NumberFinding =>
    ({ program, outcome: 'holds', places: [{ block, start, end: start + 5 }] }) as never;
  const statementsOf = (origin: Claim['origin'], numbers: NumberFinding[], all: NumberFinding[] = []) =>
    describeMatter({ ...claim, origin }, { dossier, sources: [], numbers, all }).statements;

  test('are its statements without what they are said to be, each once, and none that a table makes', () => {
    const origin = { block: 'report.md#b1', start: 0, end: 40 };
    expect(
      statementsOf(origin, [
        finding(`${growth} = 15 %`),
        finding(`${growth} ≥ 10 %`, 10),
        finding('sum(a, b)', 50),
        finding('sum(c, d)', 0, 'report.md#b2'),
        finding(undefined),
      ]),
    ).toEqual([growth]);
    const [mine, tables] = [finding(`${growth} = 15 %`), finding('sum(a, b) = 3')];
    expect(statementsOf(null, [mine, tables], [tables])).toEqual([growth]);
  });

  test('is a hash of all that was shown, in whatever order', () => {
    const evidence = (...texts: string[]) =>
      describeMatter(claim, {
        dossier,
        sources: texts.map((one, n) => ({ id: String(n), text: one })),
        numbers: [],
        all: [],
      }).evidence;
    expect(evidence('a', 'b')).toBe(evidence('b', 'a'));
    expect(evidence('a', 'b')).not.toBe(evidence('a', 'c'));
  });

  test('are hashes of sentences of its documents, numbers apart: no short ones, no tables, 64 at most', () => {
    const sentences = sampleSentences(report);
    expect(sentences).toHaveLength(2);
    const later = documentOf('report.md', ['Revenue in Europe grew by 9 % in 2025. Nothing else here is the same.']);
    expect(sampleSentences(later).filter((one) => sentences.includes(one))).toHaveLength(1);
    expect(sentences).toEqual(sentences.toSorted());
    const short = documentOf('short.md', ['It rose by much. It rose much. In 2024 it rose.']);
    expect(sampleSentences(short)).toHaveLength(1);
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const many = Array.from(
      { length: 90 },
      (_, n) => `The ${letters[n % 26]}${letters[Math.floor(n / 26)]} is one of them.`,
    );
    expect(sampleSentences(documentOf('long.md', [many.join(' ')]))).toHaveLength(64);
  });

  test('names rows and columns in words, without periods and operations', () => {
    expect(dropPeriods(growth)).toBe('growth(Revenue, Revenue)');
    expect(listNames('ratio(North America[FY2024], sum(Europe[FY2024], Asia))')).toEqual([
      'north',
      'america',
      'europe',
      'asia',
    ]);
  });
});
