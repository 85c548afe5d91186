export { assertInputBegins, itemsFrom, type RunItems } from './items-from.ts';
export { jobInputs } from './job-inputs.ts';
export { inputFormats, runItemsIn, type InputFormat, type RunInputOptions } from './run-items-in.ts';
export { readingOf, type RunReading } from './run-reading.ts';
export { contentOfInput, documentsOfInput, exchangeOfInput, type FindAttachment } from './stored-input.ts';
