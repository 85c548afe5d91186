import { hashOf } from '@agonhq/engine/hash';
import { claimRules } from './claim-rules.ts';

/** What stands for the rules of claims in provenance. */
export const claimPolicy = { name: 'documents', version: '1', hash: hashOf(claimRules) };
