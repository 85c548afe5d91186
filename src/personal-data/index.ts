export { personalCountsSchema, personalKinds, type PersonalCounts, type PersonalKind } from './found.ts';
export { listPeople, type KnownPerson } from './find-people.ts';
export { countPersonalData, createMask, findPersonalData, type Mask } from './mask-text.ts';
