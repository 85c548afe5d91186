export { formatBlockId } from '../document.ts';
export { citeChecks, type CitedCheck } from './cite-check.ts';
export { markPlace, numberFindings, numberPassages, type NumberedFinding } from './number-passages.ts';
export { isLongDocument, shownBlocks, shownRows, type Gap, type Shown } from './shown-blocks.ts';
export * from './trace-claim.ts';
