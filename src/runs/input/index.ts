export {
  assertInputBegins,
  openRunItems,
  type RunItems,
  readRunItems,
  type RunInputOptions,
  parseRunReading,
  type RunReading,
} from './read-run-items.ts';
