import { expect, test } from 'vitest';
import { cell, type BenchBlock } from './block.ts';
import { markTraining } from './training-marks.ts';

const block: BenchBlock = {
  title: 'Table 3',
  lead: '',
  table: {
    head: [cell.text('Evaluator'), cell.number('Accuracy')],
    rows: [
      [cell.name('debate'), cell.number('91.7', 'best')],
      [cell.name('strings'), cell.number('50.0', 'second')],
      [cell.text('N = 1'), cell.number('91.7')],
    ],
  },
};

test("a job's own figures are marked by who made them, and what has seen the items is not the best", () => {
  const marked = markTraining(block, [
    { name: 'debate', kind: 'debate', trained: 'these-items' },
    { name: 'strings', kind: 'baseline', trained: null },
  ]);
  expect(marked.table!.rows.map(([, figure]) => [figure!.text, figure!.mark, figure!.emphasis])).toEqual([
    ['91.7', '‡', undefined],
    ['50.0', undefined, 'second'],
    ['91.7', '‡', undefined],
  ]);
  expect(marked.notes!.join()).toContain('‡ trained on these very items');
});

test('where nobody was trained on the data nothing changes', () => {
  expect(markTraining(block, [{ name: 'debate', kind: 'debate', trained: null }])).toBe(block);
});
