export { claimMatterSchema, describeMatter } from './claim-matter.ts';
export * from './weigh-corrections.ts';
