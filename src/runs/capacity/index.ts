export { computeGuardTime, planCapacity, type CapacityPlan, type PlanInput } from './capacity-plan.ts';
export { constants } from './constants.ts';
export { readCount, readDays, readShare, readTimes } from './quantities.ts';
