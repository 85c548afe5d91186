export { assertInputBegins, itemsFrom, type RunItems } from './items-from.ts';
export { runItemsIn, type RunInputOptions } from './run-items-in.ts';
export { readingOf, type RunReading } from './run-reading.ts';
