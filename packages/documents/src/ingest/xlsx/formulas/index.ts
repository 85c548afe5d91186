export { openFormulas, type FormulaResult, type FormulaSheet, type OpenFormula } from './compute-formulas.ts';
export { parseColumn } from './parse-formula.ts';
export { CellError, type CellValue } from './values.ts';
