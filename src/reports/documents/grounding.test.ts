import { expect, test } from 'vitest';
import { analysisFixtures, quarterlyAnalysis } from '../../../test/fixtures/analyses.ts';
import { turnsOf } from '../../debate/index.ts';
import { ground } from '../../documents/index.ts';
import { groundIn } from './grounding.ts';

test.each(Object.entries(analysisFixtures))('what reports of %s say of a citation’s place is what the debate says', (_, analysis) => {
  const read = groundIn(analysis.documents);
  for (const answer of analysis.claims) {
    const cited = [...turnsOf(answer.transcript).flatMap(({ evidence }) => evidence), ...answer.verdict.evidence, ...answer.numbers.flatMap(({ places }) => places), ...answer.absences.flatMap(({ found }) => found.map(({ place }) => place))];
    for (const one of cited) {
      const { sentence: _sentence, boxes: _boxes, ...expected } = ground(one, analysis, answer.numbers) ?? { sentence: null, boxes: null };
      expect(read(one, answer.numbers) ?? {}).toEqual(expected);
    }
  }
});

test('a row told as a sentence, a number finding, and an extract stand where the document has them', () => {
  const read = groundIn(quarterlyAnalysis.documents);
  const [report] = quarterlyAnalysis.documents;
  const evidence = (source: string) => ({ quote: 'x', source, start: 0, end: 4, verified: true as const });
  expect(read(evidence('aurora-q3-2024.pdf#b5/row-3'))).toMatchObject({ quote: 'APAC | 1.0 | 1.5 | +50 %', told: 'row' });
  expect(read(evidence('aurora-q3-2024.pdf#b2/numbers-1'), quarterlyAnalysis.claims[0]!.numbers)).toMatchObject({ quote: '51 %', told: 'numbers' });
  const { start, end } = report!.blocks[1]!;
  expect(read(evidence(`aurora-q3-2024.pdf#b2@${start + 7}-${end}`))?.quote).toBe(report!.text.slice(start + 7, start + 11));
  for (const nowhere of ['aurora-q3-2024.pdf#b99', 'aurora-q3-2024.pdf', 'aurora-q3-2024.pdf#b5/row-77', 'aurora-q3-2024.pdf#b2/numbers-9']) expect(read(evidence(nowhere))).toBeNull();
});
