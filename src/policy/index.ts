export type { Category, Clause, Example, Policy, Severity } from './policy.ts';
export { clauseIds, findClause } from './clauses.ts';
export { defaultPolicy, defaultPolicyFile } from './default-policy.ts';
export { loadPolicy } from './load-policy.ts';
export { namedCategories } from './named-categories.ts';
export { parsePolicy } from './parse-policy.ts';
export { policyOnRecord } from './policy-on-record.ts';
export { renderPolicy } from './render-policy.ts';
