export { claimMatterSchema, describeMatter } from './claim-matter.ts';
export { likenesses, recallCorrections, selectCorrections } from './recall-corrections.ts';
export { correctedRule, weighCorrections } from './weigh-corrections.ts';
