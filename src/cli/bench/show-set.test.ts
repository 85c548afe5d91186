import { describe, expect, test } from 'vitest';
import { madeUpSheet } from '../../../test/support/made-up-sheet.ts';
import { figuresOf } from '../../bench/figures/compute-figures.ts';
import type { BenchedSet, ScoreSheet } from '../../bench/index.ts';
import { renderSet } from './show-set.ts';

const report = {
  version: 1,
  job: 'moderation',
  data: { file: 'ours.jsonl', sha256: '0', items: 40, unsafe: 20, images: { described: 0, files: 0 }, by: 'category' },
  systems: [],
} as unknown as BenchedSet['report'];
const measured = (sheet: ScoreSheet): BenchedSet => ({ sheet, report, figures: figuresOf(sheet), own: [] });
const sheet = madeUpSheet({ items: 40 });

describe('a set of data on the terminal', () => {
  test('calls a difference clear where both the interval and the corrected test say so, as the reports do', () => {
    const set = measured(sheet);
    const words = (interval: [number, number]) => {
      const comparisons = [
        {
          ...set.figures.comparisons[0]!,
          difference: { value: 0.1, interval },
          onlyFirst: 20,
          onlySecond: 2,
          corrected: 0.01,
        },
      ];
      return renderSet({ ...set, figures: { ...set.figures, comparisons } }).join('\n');
    };
    expect(words([-0.01, 0.2])).toMatch(/<?\.?010 +no clear difference$/m);
    expect(words([0.01, 0.2])).toMatch(/clearly better$/m);
  });

  test("leads with the paper's rule where it is asked for", () => {
    const lines = renderSet(measured({ ...sheet, parameters: { ...sheet.parameters, invalid: 'exclude' } }));
    expect(lines[2]).toContain("the paper's rule");
    expect(lines.join('\n')).toContain('each on what it decided');
  });

  test('says where seats did not answer: such figures are not those of a debate', () => {
    const said = (fallback: string | null) => {
      const systems = sheet.systems.map((system) => ({
        ...system,
        repeats: system.repeats.map((outcomes) =>
          outcomes.map((outcome) => ({ ...outcome, turns: outcome.turns.map((turn) => ({ ...turn, fallback })) })),
        ),
      }));
      return renderSet(measured({ ...sheet, systems }));
    };
    expect(said('unavailable')).toContainEqual(
      expect.stringMatching(/^full: in \d+ of \d+ judgements a seat did not answer .*\(unavailable\)\.$/),
    );
    expect(said(null).join('\n')).not.toContain('did not answer');
  });
});
