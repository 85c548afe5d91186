import { buildPaperBlocks } from '../jobs/evaluation/paper-blocks.ts';
import { tableHead, nameCell, numberCell, formatPercentEstimate, type Block } from '../report/block.ts';
import { markTraining } from '../report/training-marks.ts';
import type { BenchResult } from '../result.ts';
import type { JobReport } from './measure-bench.ts';

/** The tables that only this job has. */
export function ownBlocks(report: JobReport, { systems }: BenchResult): Block[] {
  return tablesOf(report).map((block) => markTraining(block, systems));
}

function tablesOf(report: JobReport): Block[] {
  switch (report.job) {
    case 'moderation':
      return [];
    case 'evaluation':
      return buildPaperBlocks(report);
    case 'documents':
      return report.data.withEvidence === 0 ? [] : [citations(report)];
  }
}

function citations({ systems }: Extract<JobReport, { job: 'documents' }>): Block {
  return {
    title: 'Citations',
    lead:
      'Of the parts that a verdict cites, how many are gold evidence; and of the gold evidence, how much is ' +
      'cited. Means over claims, in percent, with 95 % intervals.',
    table: {
      head: tableHead(['System', 'Precision', 'Recall']),
      rows: systems.map(({ name: system, metrics, intervals }) => [
        nameCell(system),
        numberCell(formatPercentEstimate({ value: metrics.citationPrecision, interval: intervals.citationPrecision })),
        numberCell(formatPercentEstimate({ value: metrics.citationRecall, interval: intervals.citationRecall })),
      ]),
    },
  };
}
