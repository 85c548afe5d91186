/* `agon/promptfoo`: a provider and an assertion for promptfoo (docs/integrations.md). */
export { AgonProvider } from './provider.ts';
export { isSafe } from './assertion.ts';
