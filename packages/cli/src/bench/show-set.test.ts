import { describe, expect, test } from 'vitest';
import { makeUpResult, presentJob } from '@agonhq/test/support/made-up-result.ts';
import { computeFigures } from '@agonhq/bench/figures/compute-figures';
import type { ReportedSet, BenchResult } from '@agonhq/bench';
import { renderSet } from './show-set.ts';

const report = {
  version: 1,
  job: 'moderation',
  data: { file: 'ours.jsonl', sha256: '0', items: 40, unsafe: 20, images: { described: 0, files: 0 }, by: 'category' },
  systems: [],
} as unknown as ReportedSet['report'];
const measured = (result: BenchResult): ReportedSet => ({
  job: presentJob(result),
  result,
  report,
  figures: computeFigures(result),
  own: [],
});
const result = makeUpResult({ items: 40 });

describe('a set of data on the terminal', () => {
  test('calls a difference clear where both the interval and the corrected test say so, as the reports do', () => {
    const set = measured(result);
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
    expect(words([-0.01, 0.2])).toMatch(/−1\.0 to \+20\.0 .*no clear difference +20 +2 .*0\.010 /);
    expect(words([0.01, 0.2])).toMatch(/\+1\.0 to \+20\.0 .*clearly better +20 +2 /);
  });

  test("leads with the paper's rule where it is asked for", () => {
    const lines = renderSet(measured({ ...result, parameters: { ...result.parameters, invalid: 'exclude' } }));
    expect(lines[3]).toContain('left out, as in the paper');
    expect(lines.join('\n')).toContain('each on the items it decided');
  });

  test('says where seats did not answer: such figures are not those of a debate', () => {
    const said = (fallback: string | null) => {
      const systems = result.systems.map((system) => ({
        ...system,
        repeats: system.repeats.map((outcomes) =>
          outcomes.map((outcome) => ({ ...outcome, turns: outcome.turns.map((turn) => ({ ...turn, fallback })) })),
        ),
      }));
      return renderSet(measured({ ...result, systems }));
    };
    expect(said('unavailable').join('\n')).toMatch(
      /^Seats without an answer\n.*gave no answer.*\nSystem .*\nfull +\d+ +\d+ +unavailable$/m,
    );
    expect(said(null).join('\n')).not.toContain('gave no answer');
  });

  test('says why there is no control, and no opening vote', () => {
    const set = measured(result);
    const receipt = {
      debate: 'full',
      overOpening: null,
      overControl: null,
      withoutControl: 'Embedded seats spend no tokens.',
    };
    const lines = renderSet({ ...set, figures: { ...set.figures, receipts: [receipt] } });
    expect(lines).toContain('No opening vote of full to compare with: no seat spoke alone first.');
    expect(lines).toContain('No control for full: Embedded seats spend no tokens.');
  });
});
