/**
 * Does something every so often, never twice at once: what waits for a database that is away must not pile up behind
 * it. Returns what ends it, and waits for what is under way; of that, nothing is told any more.
 */
export function repeatRegularly(
  everyMs: number,
  work: () => Promise<void>,
  onProblem: (error: unknown) => void,
): () => Promise<void> {
  let ended = false;
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    underWay ??= work()
      .catch((error: unknown) => {
        if (!ended) onProblem(error);
      })
      .finally(() => {
        underWay = null;
      });
  }, everyMs);
  return async () => {
    ended = true;
    clearInterval(timer);
    await underWay;
  };
}
