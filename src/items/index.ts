export { csvValues } from './csv-values.ts';
export {
  formatOf,
  inputFormats,
  inputValues,
  jsonValues,
  renamedIn,
  type InputFormat,
  type InputLayout,
  type InputValue,
} from './input-values.ts';
export { below, idIn, itemLines, linesOf, openLines, uniqueKeys, type ItemLine, type Line } from './item-lines.ts';
export { safetyLabel } from './safety-label.ts';
