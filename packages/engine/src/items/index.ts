export { cannotWriteError } from './cannot-write.ts';
export { readCsvValues } from './csv-values.ts';
export * from './input-values.ts';
export {
  resolveBelow,
  findItemId,
  readItemLines,
  readLines,
  openLines,
  createUniqueKeys,
  type ItemLine,
  type NumberedLine,
  type OpenInput,
} from './item-lines.ts';
export * from './load-file.ts';
