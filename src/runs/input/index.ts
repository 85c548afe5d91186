export { assertInputBegins, itemsFrom, type RunItems } from './items-from.ts';
export { jobInputs } from './job-inputs.ts';
export { inputFormats, inputValues, type InputFormat, type InputLayout } from './input-values.ts';
export { runItemsIn, type RunInputOptions } from './run-items-in.ts';
export { readingOf, type RunReading } from './run-reading.ts';
export { contentOfInput, documentsOfInput, exchangeOfInput, type FindAttachment } from './stored-input.ts';
