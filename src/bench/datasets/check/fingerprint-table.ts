/**
 * Which line first held a fingerprint and what it was labelled, for many millions of lines: a Map of so many would
 * not fit.
 */
export interface FingerprintTable {
  /** The line and label that came first with this fingerprint, or null when this one is it. */
  first(fingerprint: number, line: number, label: number): { line: number; label: number } | null;
  /** The line that came first with this fingerprint. */
  lineOf(fingerprint: number): number | null;
  readonly size: number;
}

export function fingerprintTable(capacity = 1 << 12): FingerprintTable {
  let room = capacity;
  // Zero is an empty place: fingerprints are kept one higher.
  let keys = new Float64Array(room);
  let lines = new Uint32Array(room);
  let labels = new Uint8Array(room);
  let size = 0;

  const placeOf = (fingerprint: number): number => {
    let at = fingerprint % room;
    while (keys[at] !== 0 && keys[at] !== fingerprint + 1) at = at + 1 === room ? 0 : at + 1;
    return at;
  };
  const grow = () => {
    const [oldKeys, oldLines, oldLabels] = [keys, lines, labels];
    room = room * 2 + 1;
    [keys, lines, labels] = [new Float64Array(room), new Uint32Array(room), new Uint8Array(room)];
    for (const [index, key] of oldKeys.entries()) {
      if (key === 0) continue;
      const at = placeOf(key - 1);
      keys[at] = key;
      lines[at] = oldLines[index]!;
      labels[at] = oldLabels[index]!;
    }
  };

  return {
    get size() {
      return size;
    },
    lineOf(fingerprint) {
      const at = placeOf(fingerprint);
      return keys[at] === 0 ? null : lines[at]!;
    },
    first(fingerprint, line, label) {
      const at = placeOf(fingerprint);
      if (keys[at] !== 0) return { line: lines[at]!, label: labels[at]! };
      keys[at] = fingerprint + 1;
      lines[at] = line;
      labels[at] = label;
      size += 1;
      if (size * 10 > room * 7) grow();
      return null;
    },
  };
}
