export { checkRules, type CheckReport } from './check-rules.ts';
