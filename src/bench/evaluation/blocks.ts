import type { Block } from '../rendering/block.ts';
import { divergenceBlock, errorsBlock } from './disagreement-blocks.ts';
import { metricsBlock, repeatsBlock, unsettledBlock, usageBlock } from './overview-blocks.ts';
import { ablationBlock, riskBlock, roundsBlock, selfEvaluationBlock, stabilityBlock } from './paper-blocks.ts';
import type { EvaluationReport } from './report.ts';

const ofThePaper = [stabilityBlock, selfEvaluationBlock, ablationBlock, riskBlock, roundsBlock, divergenceBlock, errorsBlock];
const order = [metricsBlock, ...ofThePaper, repeatsBlock, usageBlock, unsettledBlock];

/** All tables and figures of one set of data, in the order of the paper. */
export function blocksOf(report: EvaluationReport): Block[] {
  return order.map((block) => block(report));
}

/** Those that only the evaluation of models has, as far as the data gives them. */
export function paperBlocksOf(report: EvaluationReport): Block[] {
  return ofThePaper.map((block) => block(report)).filter(({ missing }) => missing === undefined);
}
