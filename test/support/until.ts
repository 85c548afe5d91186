/** Waits until something holds, for at most so many seconds. */
export async function until(condition: () => boolean | Promise<boolean>, seconds = 30): Promise<void> {
  for (const deadline = performance.now() + seconds * 1000; performance.now() < deadline;) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`It did not happen within ${seconds} seconds.`);
}
