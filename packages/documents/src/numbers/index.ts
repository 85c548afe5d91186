export * from './check-numbers.ts';
export { quantitiesIn } from './read-numbers.ts';
export type { Cover } from './programs/index.ts';
export type { NumberCheck, NumberFinding, NumberPlace, Quantity } from './finding.ts';
