import type { Block } from '../rendering/block.ts';
import { divergenceBlock, errorsBlock } from './disagreement-blocks.ts';
import { metricsBlock, repeatsBlock, unsettledBlock, usageBlock } from './overview-blocks.ts';
import { ablationBlock, riskBlock, roundsBlock, selfEvaluationBlock, stabilityBlock } from './paper-blocks.ts';
import type { EvaluationReport } from './report.ts';

const order = [
  metricsBlock, stabilityBlock, selfEvaluationBlock, ablationBlock, riskBlock, roundsBlock, divergenceBlock, errorsBlock, repeatsBlock, usageBlock, unsettledBlock,
];

/** All tables and figures of one set of data, in the order of the paper. */
export function blocksOf(report: EvaluationReport): Block[] {
  return order.map((block) => block(report));
}
