export {
  type Category,
  type Clause,
  type Example,
  type Policy,
  clauseIds,
  findClause,
  namedCategories,
} from './policy.ts';
export { defaultPolicy, defaultPolicyFile, loadPolicy } from './load-policy.ts';
export { diffPolicies, type PolicyChange } from './diff-policies.ts';
export { parsePolicy, policyOnRecord } from './parse-policy.ts';
export { renderPolicy, writePolicy } from './render-policy.ts';
