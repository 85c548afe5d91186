/**
 * Numbers to the fifth decimal, for comparing what a model read alone with what it read among others: on some processors
 * the kernels round by the size of the batch, which shows in the seventh decimal.
 */
export function roundNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'number'
        ? Number(part.toFixed(5)) + 0
        : ArrayBuffer.isView(part)
          ? [...(part as Float32Array)]
          : part,
    ),
  );
}
