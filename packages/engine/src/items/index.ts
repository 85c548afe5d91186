export { cannotWriteError } from './cannot-write.ts';
export { readCsvValues } from './csv-values.ts';
export {
  guessInputFormat,
  inputFormats,
  readInputValues,
  readJsonValue,
  readJsonValues,
  renameFields,
  renameValue,
  type InputFormat,
  type InputLayout,
  type InputValue,
  readSafetyLabel,
} from './input-values.ts';
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
export {
  assertFileSize,
  assertTextSize,
  cleanFileName,
  defaultFileLimits,
  loadFile,
  readExtension,
  type FileLimits,
} from './load-file.ts';
