/**
 * Packages that the build takes into dist, since of many megabytes we use few: whoever installs Agon does not install
 * them. The build writes their licences beside itself.
 */
export const bundled: readonly string[] = [
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@ai-sdk/otel',
  '@modelcontextprotocol/server',
  'ai',
  // A hundred small files take longer to open than one, at every start that keeps a record.
  'kysely',
  'libphonenumber-js',
  'prom-client',
  'tinyld',
];

/** What bundled code requires when it runs, so that it is installed all the same. */
export const neededByBundled: readonly string[] = ['undici'];
