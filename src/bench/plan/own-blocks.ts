import { paperBlocksOf } from '../evaluation/blocks.ts';
import { headOf, name, number, percentEstimate, type Block } from '../report/block.ts';
import { markedBlock } from '../report/training-marks.ts';
import type { ScoreSheet } from '../result.ts';
import type { JobReport } from './measure-bench.ts';

/** The tables that only this job has. */
export function ownBlocks(report: JobReport, { systems }: ScoreSheet): Block[] {
  return tablesOf(report).map((block) => markedBlock(block, systems));
}

function tablesOf(report: JobReport): Block[] {
  switch (report.job) {
    case 'moderation':
      return [];
    case 'evaluation':
      return paperBlocksOf(report);
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
      head: headOf(['System', 'Precision', 'Recall']),
      rows: systems.map(({ name: system, metrics, intervals }) => [
        name(system),
        number(percentEstimate({ value: metrics.citationPrecision, interval: intervals.citationPrecision })),
        number(percentEstimate({ value: metrics.citationRecall, interval: intervals.citationRecall })),
      ]),
    },
  };
}
