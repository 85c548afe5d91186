export { personalCountsSchema, type PersonalCounts } from './found.ts';
export { listPeople, type KnownPerson } from './find-people.ts';
export { createMask, findPersonalData, type Mask } from './mask-text.ts';
