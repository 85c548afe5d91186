import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentOf, quarterlyReport } from '@agonhq/test/support/analysis-setup.ts';
import { verifyQuotes } from '@agonhq/engine/evidence';
import type { Dossier } from '../document.ts';
import { ground } from './ground-citation.ts';
import { buildDocument, type RawPart } from '../ingest/index.ts';
import type { NumberFinding } from '../numbers/finding.ts';
import { openClaim, buildWholeSources } from '../claims/open-claim.ts';
import { retrieveBlocks } from '../claims/retrieve-blocks.ts';

const claim = {
  id: 'claim-01',
  text: 'APAC grew.',
  kind: 'assertion' as const,
  domain: '',
  importance: 1,
  origin: null,
};
const finding: NumberFinding = {
  id: 'n1',
  check: 'growth',
  outcome: 'holds',
  statement: 'Growth holds.',
  arithmetic: '(4.6 − 4.0) / 4.0 = 15 %',
  gap: 0,
  places: [
    { block: 'report.md#b2', start: 107, end: 110 },
    { block: 'report.md#b4', start: 0, end: 1 },
  ],
};

describe('grounding', () => {
  test('law: the characters of any citation equal its quote, in any source of a case', async () => {
    const long = documentOf('long #b2.md', [
      'An opening. '.repeat(900),
      [['Item', 'Amount'], ...Array.from({ length: 900 }, (_, row) => [`Part number ${row} of APAC`, String(row)])],
    ]);
    const dossier: Dossier = { documents: [...quarterlyReport.documents, long] };
    const { sources } = openClaim(claim, dossier, [], await retrieveBlocks(claim, dossier), {
      blocks: 20,
      characters: 60_000,
    });
    const told = sources.filter((source) => !('tool' in source));
    expect(told.some(({ id }) => id.startsWith('long #b2.md#b2@'))).toBe(true);
    fc.assert(
      fc.property(fc.constantFrom(...told), fc.nat(), fc.integer({ min: 1, max: 80 }), (source, at, length) => {
        const start = at % source.text.length;
        const quote = source.text.slice(start, start + length);
        const [evidence] = verifyQuotes([quote], [source]);
        if (!evidence!.verified) return quote.trim() === '';
        const grounding = ground(evidence!, dossier)!;
        expect(grounding.quote).toBe(evidence!.quote);
        expect(grounding.document.text.slice(grounding.start, grounding.end)).toBe(evidence!.quote);
      }),
    );
  });

  const words = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'Revenue',
          'grew',
          '15 %',
          '4.6 million',
          '収益',
          'café',
          'e\u0301te\u0301',
          '“quoted”',
          'a | b',
          '…',
          '😀',
          'U.S.',
          'ﬁnal',
        ),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.join(' '));
  const rows = fc.array(
    fc.array(
      words.map((text) => ({ text })),
      { minLength: 2, maxLength: 2 },
    ),
    { minLength: 2, maxLength: 5 },
  );
  const parts = fc.array(
    fc.oneof(
      words.map((text): RawPart => ({ kind: 'paragraph', text })),
      words.map((text): RawPart => ({ kind: 'heading', level: 1, text })),
      rows.map((cells): RawPart => ({ kind: 'table', rows: cells })),
    ),
    { minLength: 1, maxLength: 6 },
  );

  test('law: so it is in any document, whatever it says and however it is quoted', () => {
    fc.assert(
      fc.property(
        parts,
        fc.string({ minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 60 }),
        (raw, name, which, at, length) => {
          const dossier: Dossier = {
            documents: [buildDocument({ name, kind: 'text', hash: 'sha256:0', notes: [], parts: raw })],
          };
          const sources = buildWholeSources(dossier).filter(({ text }) => text.length > 0);
          fc.pre(sources.length > 0);
          const source = sources[which % sources.length]!;
          const start = at % source.text.length;
          const copied = source.text.slice(start, start + length);
          for (const quote of [
            copied,
            copied.replace(/\s+/g, '  '),
            copied.normalize('NFKC'),
            copied.replaceAll('“', '"').replaceAll('”', '"'),
          ]) {
            for (const evidence of verifyQuotes([quote], sources)) {
              if (!evidence.verified) continue;
              const { document, block, start: from, end: to, quote: shown } = ground(evidence, dossier)!;
              expect([shown, document.text.slice(from, to)]).toEqual([evidence.quote, evidence.quote]);
              expect(block.start <= from && to <= block.end).toBe(true);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a quote leads to its block, its sentence and its characters', () => {
    const [evidence] = verifyQuotes(['grew by 15%'], buildWholeSources(quarterlyReport));
    const grounding = ground(evidence!, quarterlyReport)!;
    expect(grounding).toMatchObject({ block: { id: 'b2' }, quote: 'grew by 15%', cells: [], boxes: [] });
    const { sentence, document } = grounding;
    expect(document.text.slice(sentence!.start, sentence!.end)).toBe(
      'Revenue in APAC grew by 15% in the third quarter.',
    );
  });

  test('a quote of a table leads to its cells', () => {
    const [evidence] = verifyQuotes(['4.0 | 4.6'], buildWholeSources(quarterlyReport));
    expect(ground(evidence!, quarterlyReport)!.cells.map(({ row, column, text }) => [row, column, text])).toEqual([
      [1, 1, '4.0'],
      [1, 2, '4.6'],
    ]);
  });

  test('a row told as a sentence leads to the row, and a number finding to where the number is stated', () => {
    const { sources } = openClaim(claim, quarterlyReport, [finding], [], { blocks: 20, characters: 60_000 });
    const row = sources.find(({ id }) => id === 'report.md#b4/row-1')!;
    expect(
      ground({ quote: row.text, source: row.id, start: 0, end: row.text.length, verified: true }, quarterlyReport),
    ).toMatchObject({ told: 'row', quote: 'APAC | 4.0 | 4.6' });
    const numbers = sources.find(({ id }) => id === 'report.md#b2/numbers-1')!;
    const cited = {
      quote: numbers.text,
      source: numbers.id,
      start: 0,
      end: numbers.text.length,
      verified: true as const,
    };
    expect(ground(cited, quarterlyReport, [finding])).toMatchObject({
      told: 'numbers',
      start: 107,
      end: 110,
      block: { id: 'b2' },
    });
    expect(ground(cited, quarterlyReport)).toBeNull();
  });

  test('boxes are those of the sentence the quote touches, of the cells, else of the block', () => {
    const box = (y: number) => ({ page: 1, x: 10, y, width: 100, height: 10 });
    const text = 'One is here. Two is there.';
    const document = buildDocument({
      name: 'page.pdf',
      kind: 'pdf',
      hash: 'sha256:0',
      notes: [],
      pages: [{ number: 1, width: 600, height: 800 }],
      parts: [
        {
          kind: 'paragraph',
          text,
          page: 1,
          lineBoxes: [
            { start: 0, end: 12, box: box(10) },
            { start: 13, end: text.length, box: box(30) },
          ],
        },
        {
          kind: 'table',
          page: 1,
          boxes: [box(50)],
          rows: [
            [
              { text: 'Name', boxes: [box(60)] },
              { text: 'Value', boxes: [box(70)] },
            ],
            [
              { text: 'Profit', boxes: [box(80)] },
              { text: '7', boxes: [box(90)] },
            ],
          ],
        },
      ],
    });
    const dossier = { documents: [document] };
    const at = (quote: string) =>
      ground(verifyQuotes([quote], buildWholeSources(dossier))[0]!, dossier)!.boxes.map(({ y }) => y);
    expect(at('Two is')).toEqual([30]);
    expect(at('7')).toEqual([90]);
  });

  test('what was struck, and what is not in the dossier, is nowhere', () => {
    expect(ground({ quote: 'x', source: null, verified: false }, quarterlyReport)).toBeNull();
    for (const source of ['other.md#b1', 'report.md#b99', 'report.md', 'report.md#b4/row-9'])
      expect(ground({ quote: 'x', source, start: 0, end: 1, verified: true }, quarterlyReport)).toBeNull();
    expect(ground({ block: 'report.md#b2', start: 0, end: 5 }, quarterlyReport)).toBeNull();
  });
});
