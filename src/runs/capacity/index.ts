export { planCapacity, type CapacityPlan, type PlanInput } from './capacity-plan.ts';
export { caseBytes, constants } from './constants.ts';
export { readCount, readDays, readShare, readTimes } from './quantities.ts';
