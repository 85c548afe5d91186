/** What a process needs to start, and nothing of whoever runs the tests. */
export function leastEnvironment(): Record<string, string> {
  const compiled = process.env['NODE_COMPILE_CACHE'];
  return { PATH: process.env['PATH']!, ...(compiled ? { NODE_COMPILE_CACHE: compiled } : {}) };
}
