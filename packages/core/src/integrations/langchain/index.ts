/**
 * Chat models and chains of LangChain.js behind the guard (docs/integrations.md).
 *
 * @module agon/langchain
 */
import '../../need-node.ts';
export { guardRunnable, type ChainOutput } from './guard-runnable.ts';
export type { ChainInput } from './read-input.ts';
export { createGuard, renderGuardStats, type Guard, type GuardOptions, type GuardVerdict } from '../../guard/index.ts';
