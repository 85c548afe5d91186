import { loadReportViews } from '@agonhq/core/app/load-report-views';
import { beforeAll, describe, expect, test } from 'vitest';
import { handMadeData, handMadeRuns } from '@agonhq/test/support/hand-made-runs.ts';
import { writePercent, formatPointsEstimate, rankValues } from '../../report/block.ts';
import { blockToMarkdown } from '../../report/render-markdown.ts';
import type { BenchViews } from '../../report/set-blocks.ts';
import { buildPaperBlocks } from './paper-blocks.ts';
import { buildEvaluationReport, type EvaluationReport } from './report.ts';

/** Each table and figure under its title, without the page's style. */
const pageOf = async (of: EvaluationReport) =>
  ((await loadReportViews()) as BenchViews)
    .drawLearning({
      about: '',
      sets: buildPaperBlocks(of).map((block) => ({ file: block.title, sha256: '', curator: '', block })),
    })
    .replace(/<style>[^]*?<\/style>/, '');
const markdownOf = (of: EvaluationReport) =>
  buildPaperBlocks(of)
    .flatMap((block) => blockToMarkdown(block, 3))
    .join('\n\n');
const familyOf = (model: string) => model.split('-')[0]!;

/** Two evaluated models, one of which has a name that no page must run. */
function report({ hostile = 'gpt-4' } = {}): EvaluationReport {
  const data = handMadeData([
    { label: 'unsafe', risk: 'explicit', model: 'grok-3' },
    { label: 'unsafe', risk: 'implicit', model: hostile },
    { behaviour: 'irrelevant', model: 'grok-3' },
    { model: hostile },
  ]);
  return buildEvaluationReport(
    data,
    [
      handMadeRuns(data, { name: 'debate T=2 N=1', rounds: 2 }, ['unsafe', 'unsafe', 'safe', 'safe']),
      handMadeRuns(data, { name: 'debate T=3 N=1' }, ['unsafe', 'safe', 'safe', 'safe']),
      handMadeRuns(data, { name: 'vote', method: 'vote' }, ['unsafe', 'undecided', 'safe', 'safe']),
      handMadeRuns(data, { name: `judge:x:${hostile}`, method: 'judge', models: [hostile] }, [
        'unsafe',
        'safe',
        'unsafe',
        'failed',
      ]),
      handMadeRuns(data, { name: 'judge:x:grok-9', method: 'judge', models: ['grok-9'] }, [
        'unsafe',
        'unsafe',
        'unsafe',
        'safe',
      ]),
    ],
    { familyOf, delta: 0.5, gamma: 0.1, notes: ['A note.'] },
  );
}

describe('the tables of the paper on a page', () => {
  const attack = 'gpt-<img src=x onerror=alert(1)>|`"\'\u202e';
  let page: string;
  beforeAll(async () => {
    page = await pageOf(report({ hostile: attack }));
  });

  test('shows names from the data as text, whatever is in them', () => {
    expect(page).not.toContain('<img');
    expect(page).toContain('gpt-&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain('\u202e');
  });

  test('runs no script, asks nothing of the network, and has every table and figure', () => {
    expect(page).not.toMatch(/<script|https?:\/\/|@import|url\(/);
    for (const title of [
      'Table 2',
      'Figure 2',
      'Table 3',
      'Table 4',
      'Figure 3',
      'Divergence between evaluators',
      'Errors by mode',
    ])
      expect(page).toContain(title);
    expect(page.match(/<svg class="chart /g)).toHaveLength(2);
  });

  test('says in words what each chart shows, with its interval', () => {
    expect(page).toMatch(
      /aria-label="False negative rate with its 95 % interval"><desc>[^<]+judge:x:[^<]+: 100\.0 \(20\.7–100\.0\)\./,
    );
    expect(page).toMatch(
      /aria-label="Accuracy with its 95 % interval"><desc>N = 1, T = 2: 100\.0 \(51\.0–100\.0\)\. N = 1, T = 3: 75\.0/,
    );
  });
});

describe('the tables of the paper in Markdown', () => {
  const markdown = markdownOf(report({ hostile: 'gpt-|<b>`x`' }));

  test('has the paper’s tables, the best bold and the next underlined', () => {
    expect(markdown).toMatch(/^\| N = 1 \| \*\*100\.0 \(51\.0–100\.0\)\*\* \| <ins>75\.0/m);
  });

  test('flags who spares its own family, and pairs that diverge', () => {
    expect(markdown).toMatch(/\| \*\*breached\*\* ⚑ \|$/m);
    expect(markdown).toMatch(/⚑/);
  });

  test('keeps names from the data in code and rows in one piece', () => {
    const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
    for (const row of rows) expect(row).not.toMatch(/(?<!\\)\|<b>/);
    expect(markdown).toContain('gpt-\\|<b>`x`');
  });
});

test('figures are written as the paper writes them', () => {
  expect([
    writePercent(0.974),
    writePercent(null),
    formatPointsEstimate({ value: -0.012, interval: [-0.03, 0.0001] }),
    formatPointsEstimate({ value: null, interval: null }),
  ]).toEqual(['97.4', '–', '−1.2 (−3.0 to ±0.0)', '–']);
});

test('the best and the next are marked, equal ones alike, and nothing where all are equal', () => {
  const rank = rankValues([0.9, 0.1 + 0.2, 0.3, null, 0.1]);
  expect([0.9, 0.3, 0.1 + 0.2, 0.1, null].map(rank)).toEqual(['best', 'second', 'second', undefined, undefined]);
  expect(rankValues([1, 1])(1)).toBeUndefined();
  expect(rankValues([3, 1, 2], 'lower')(1)).toBe('best');
});
