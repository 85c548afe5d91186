export {
  assertInputBegins,
  createItemReader,
  openRunItems,
  type RunItems,
  readRunItems,
  parseRunReading,
  type RunReading,
} from './read-run-items.ts';
