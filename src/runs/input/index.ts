export {
  assertInputBegins,
  itemsFrom,
  type RunItems,
  runItemsIn,
  type RunInputOptions,
  readingOf,
  type RunReading,
} from './run-items-in.ts';
