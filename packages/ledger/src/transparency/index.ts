/* What is told about decisions: reasons to those concerned, figures to everybody. */

export { countFigures } from './count-figures.ts';
export { listStatements, renderStatementsCsv, stateReasons } from './list-statements.ts';
export type { StatementOfReasons } from './make-statement.ts';
export { renderFigures, type FigureFormat } from './render-figures.ts';
