type End = () => unknown;

/** What tests leave to be ended after each of them, and after the last of their file: test/end-left-over.ts does it. */
export const leftOver = { ofTest: [] as End[], ofFile: [] as End[] };

export async function endAll(ends: End[]): Promise<void> {
  for (const end of ends.splice(0)) await end();
}
