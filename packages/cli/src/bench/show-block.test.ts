import { describe, expect, test } from 'vitest';
import type { BenchBlock } from '@agonhq/bench';
import { renderBlock } from './show-block.ts';

const scores: BenchBlock = {
  title: 'Scores',
  lead: '',
  table: {
    head: [{ text: 'System' }, { text: 'F1', number: true }, { text: 'Accuracy', number: true }],
    rows: [
      [
        { text: 'full', name: true },
        { text: '100.0', number: true, detail: '83.9–100.0' },
        { text: '97.5', number: true },
      ],
      [
        { text: 'guard', name: true },
        { text: '62.5', number: true, mark: '†' },
        { text: '60.0', number: true },
      ],
    ],
  },
};
const linesAt = (columns: number, block = scores) => renderBlock(block, { isTTY: true, columns }).slice(1);

describe('a table of a report on the terminal', () => {
  test('stands as it is where there is room, figures above figures and intervals beside them', () => {
    const whole = [
      'System                F1  Accuracy',
      'full    100.0 83.9–100.0      97.5',
      'guard   62.5†                 60.0',
    ];
    expect(linesAt(40)).toEqual(whole);
    expect(renderBlock(scores, {}).slice(1)).toEqual(whole);
  });

  test('is turned on its side where it is too wide, and else split', () => {
    const wide = {
      ...scores,
      table: {
        head: [...scores.table!.head, { text: 'Balanced accuracy', number: true }],
        rows: scores.table!.rows.map((row) => [...row, { text: '50.0', number: true }]),
      },
    };
    expect(linesAt(44, wide)).toEqual([
      'System                         full  guard',
      'F1                 100.0 83.9–100.0  62.5†',
      'Accuracy            97.5              60.0',
      'Balanced accuracy   50.0              50.0',
    ]);
    expect(linesAt(36, wide)).toEqual([
      'System                F1  Accuracy',
      'full    100.0 83.9–100.0      97.5',
      'guard   62.5†                 60.0',
      '',
      'System  Balanced accuracy',
      'full                 50.0',
      'guard                50.0',
    ]);
  });

  test('names some of many items, and no name moves the cursor', () => {
    const items = Array.from({ length: 10 }, (_, line) => ({ line, name: `i${line}`, note: 'safe → unsafe' }));
    const row = [
      { text: '\u001b[2Jfull', name: true },
      { text: '', items },
    ];
    const [, line] = linesAt(300, { ...scores, table: { head: [{ text: 'System' }, { text: 'Which' }], rows: [row] } });
    expect(line).not.toContain('\u001b[2J');
    expect(line).toMatch(/ i0 safe → unsafe, i1 .+, i7 safe → unsafe, and 2 more$/);
  });
});
