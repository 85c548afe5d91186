/**
 * A provider and an assertion for promptfoo (docs/integrations.md).
 *
 * @module agon/promptfoo
 */
import '../../need-node.ts';
export { AgonProvider } from './provider.ts';
export { isSafe } from './assertion.ts';
