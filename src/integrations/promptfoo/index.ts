/**
 * A provider and an assertion for promptfoo (docs/integrations.md).
 *
 * @module agon/promptfoo
 */
export { AgonProvider } from './provider.ts';
export { isSafe } from './assertion.ts';
