import type { Block } from '../report/block.ts';
import { divergenceBlock, errorsBlock } from './disagreement-blocks.ts';
import { ablationBlock, riskBlock, roundsBlock, selfEvaluationBlock, stabilityBlock } from './paper-blocks.ts';
import type { EvaluationReport } from './report.ts';

const ofThePaper = [
  stabilityBlock,
  selfEvaluationBlock,
  ablationBlock,
  riskBlock,
  roundsBlock,
  divergenceBlock,
  errorsBlock,
];

/** The tables and figures that only the evaluation of models has, in the order of the paper. */
export function buildPaperBlocks(report: EvaluationReport): Block[] {
  return ofThePaper.map((block) => block(report));
}
