/** So long it may take before anybody is told, and between two lines. */
const quietMs = 2_000;

/**
 * Tells how far the vectors of the precedents are, where that takes long: after a change of the model all of them are
 * made anew, once, and whoever waits for a verdict should know what for.
 *
 * @example createAgon(settings, { onEmbedding: reportEmbedding((line) => process.stderr.write(`${line}\n`)) })
 */
export function reportEmbedding(tell: (line: string) => void): (progress: { done: number; total: number }) => void {
  let reportedAt: number | null = null;
  let told = false;
  return ({ done, total }) => {
    reportedAt ??= performance.now();
    const over = done >= total;
    if (over ? told : performance.now() - reportedAt >= quietMs) {
      tell(`Embedding the precedents for this model: ${done} of ${total}${over ? ', done' : ''}.`);
      reportedAt = performance.now();
      told = true;
    }
    if (over) [reportedAt, told] = [null, false];
  };
}
