export { actionOf, listActions, proposeAction } from './actions.ts';
export * from './policy.ts';
export { defaultPolicy, defaultPolicyFile, loadPolicy, parsePolicy, policyOnRecord } from './load-policy.ts';
export { diffPolicies, type PolicyChange } from './diff-policies.ts';
