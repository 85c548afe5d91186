const together = 4;

/**
 * Holds a vector against many of the same length: on unit vectors, their cosine similarities.
 * They are packed into one block and taken four at a time: one by one, each addition would wait for the last.
 *
 * @example const [first] = similarityTo(known)(wanted)
 */
export function similarityTo(known: readonly Float32Array[]): (wanted: Float32Array) => Float64Array {
  const width = known[0]?.length ?? 0;
  const rows = Math.ceil(known.length / together) * together;
  const block = new Float32Array(rows * width);
  for (const [index, vector] of known.entries()) block.set(vector, index * width);

  return (wanted) => {
    const similarities = new Float64Array(rows);
    for (let row = 0; row < rows; row += together) {
      let first = 0;
      let second = 0;
      let third = 0;
      let fourth = 0;
      for (let column = 0, at = row * width; column < width; column += 1, at += 1) {
        const value = wanted[column]!;
        first += block[at]! * value;
        second += block[at + width]! * value;
        third += block[at + 2 * width]! * value;
        fourth += block[at + 3 * width]! * value;
      }
      similarities[row] = first;
      similarities[row + 1] = second;
      similarities[row + 2] = third;
      similarities[row + 3] = fourth;
    }
    return similarities.subarray(0, known.length);
  };
}
