/**
 * Makes one write of many. While one is under way, what comes is gathered and goes out with the next: nobody waits for
 * a clock, and the busier it is, the more go together. Each caller gets its own result, in the order of `values`.
 */
export function gatherWrites<Value, Result>(
  write: (values: readonly Value[]) => Promise<readonly Result[]>,
  { atMost = 500, atOnce = 1 }: { atMost?: number; atOnce?: number } = {},
): (value: Value) => Promise<Result> {
  const waiting: { value: Value; settled: PromiseWithResolvers<Result> }[] = [];
  let underWay = 0;

  async function writeNext(): Promise<void> {
    const batch = waiting.splice(0, atMost);
    try {
      const results = await write(batch.map(({ value }) => value));
      for (const [index, { settled }] of batch.entries()) settled.resolve(results[index]!);
    } catch (error) {
      for (const { settled } of batch) settled.reject(error);
    }
  }

  async function work(): Promise<void> {
    underWay += 1;
    // What is asked for in the same moment goes together.
    await Promise.resolve();
    while (waiting.length > 0) await writeNext();
    underWay -= 1;
  }

  return (value) => {
    const settled = Promise.withResolvers<Result>();
    waiting.push({ value, settled });
    if (underWay < atOnce) void work();
    return settled.promise;
  };
}
