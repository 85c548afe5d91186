export { actionOf, listActions, proposeAction } from './actions.ts';
export {
  type Category,
  type Clause,
  type ClauseExample,
  type Policy,
  type Severity,
  clauseIds,
  findClause,
  isAllowed,
  namedCategories,
  renderPolicy,
  writePolicy,
} from './policy.ts';
export { defaultPolicy, defaultPolicyFile, loadPolicy, parsePolicy, policyOnRecord } from './load-policy.ts';
export { diffPolicies, type PolicyChange } from './diff-policies.ts';
