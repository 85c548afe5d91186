export type { Category, Clause, Policy } from './policy.ts';
