import { codeSpan, joinBlocks } from '@agonhq/engine/reports';
import { loadReportViews } from '@agonhq/core/app/load-report-views';
import { blockToMarkdown } from '../report/render-markdown.ts';
import type { BenchViews } from '../report/set-blocks.ts';
import type { LearningReport, LearningFigures } from './report.ts';
import {
  cell,
  tableHead,
  formatPercentEstimate,
  formatPointsEstimate,
  type BenchBlock,
  type BlockTable,
} from '../report/block.ts';

const whole = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1));

/** Figure 3 of the paper, and the table behind it. */
export function learningBlock({ batches, afterFirst, parameters, data }: LearningReport): BenchBlock {
  return {
    title: 'Sequential batches',
    lead:
      'F1 on each batch, without memory and with what was learnt from the batches before it. The library is ' +
      `empty at first; ${parameters.mode === 'all' ? 'every item' : 'every mistake'} of a batch goes through ` +
      'the curator when the batch is over.',
    chart: {
      kind: 'lines',
      title: 'F1 by batch',
      columns: batches.map(({ batch }) => `B${batch}`),
      series: [
        { name: 'continuous learning', points: batches.map(({ learner }) => learner) },
        { name: 'zero-shot control', points: batches.map(({ control }) => control) },
      ],
    },
    table: tableOf(batches, afterFirst),
    notes: [
      `${data.items} items, ${data.unsafe} unsafe, in ${batches.length} batches with the same share of labels and ` +
        `modalities; seed ${parameters.seed}` +
        `${parameters.repeats > 1 ? ` and ${parameters.repeats - 1} more, averaged` : ''}.`,
      'An item, its copies and what comes from its own batch or a later one are never shown to it. Intervals: 95 ' +
        '%, by bootstrap; differences on the same resamples.',
    ],
  };
}

function tableOf(batches: LearningReport['batches'], afterFirst: LearningFigures | null): BlockTable {
  const cells = ({ items, control, learner, difference }: LearningFigures) => [
    cell.number(String(items)),
    cell.number(formatPercentEstimate(control)),
    cell.number(formatPercentEstimate(learner)),
    cell.number(formatPointsEstimate(difference)),
  ];
  return {
    head: tableHead('batch', 'items | F1 zero-shot | F1 learning | difference | library | learnt | left out'),
    rows: [
      ...batches.map((batch) => [
        cell.text(`B${batch.batch}`),
        ...cells(batch),
        cell.number(whole(batch.library)),
        cell.number(whole(batch.learnt)),
        cell.number(whole(batch.leftOut)),
      ]),
      ...(afterFirst
        ? [[cell.text('after B1'), ...cells(afterFirst), cell.number(''), cell.number(''), cell.number('')]]
        : []),
    ],
  };
}

/** The experiment on several sets of data as one page that needs nothing else. */
export async function renderLearningPage(reports: readonly LearningReport[]): Promise<string> {
  return ((await loadReportViews()) as BenchViews).drawLearning({
    about: subtitle(reports[0]!),
    sets: reports.map((report) => ({
      file: report.data.file,
      sha256: report.data.sha256,
      curator: report.parameters.curator,
      block: learningBlock(report),
    })),
  });
}

/** The same as Markdown. */
export function renderLearningMarkdown(reports: readonly LearningReport[]): string {
  return joinBlocks([
    '# Learning bench',
    subtitle(reports[0]!),
    ...reports.flatMap((report) => [
      `## ${codeSpan(report.data.file)}`,
      `Curator ${codeSpan(report.parameters.curator)}, sha256 ${codeSpan(report.data.sha256)}.`,
      ...blockToMarkdown(learningBlock(report), 3),
    ]),
  ]);
}

function subtitle({ parameters: { mode, batches, repeats } }: LearningReport): string {
  const indexed = mode === 'all' ? 'all items indexed' : 'failures indexed';
  return `${batches} batches · ${indexed} · ${repeats} ${repeats === 1 ? 'repeat' : 'repeats'}`;
}
