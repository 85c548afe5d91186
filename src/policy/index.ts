export type { Category, Clause, Example, Policy } from './policy.ts';
export { clauseIds, findClause, namedCategories } from './find-clause.ts';
export { defaultPolicy, defaultPolicyFile, loadPolicy } from './load-policy.ts';
export { diffPolicies, type PolicyChange } from './diff-policies.ts';
export { parsePolicy, policyOnRecord } from './parse-policy.ts';
export { renderPolicy, writePolicy } from './render-policy.ts';
