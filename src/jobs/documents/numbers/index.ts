export { checkClaim, checkNumbersInSteps, checkNumbers } from './check-numbers.ts';
export { quantitiesIn } from './quantities.ts';
export type { NumberCheck, NumberFinding, Place, Quantity } from './finding.ts';
