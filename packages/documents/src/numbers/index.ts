export {
  checkClaim,
  checkWholeClaim,
  explainUnshown,
  isTableMatter,
  checkNumbersInSteps,
  checkNumbers,
  type CheckedClaim,
} from './check-numbers.ts';
export { quantitiesIn } from './read-numbers.ts';
export type { Cover } from './programs/index.ts';
export type { NumberCheck, NumberFinding, NumberPlace, Quantity } from './finding.ts';
