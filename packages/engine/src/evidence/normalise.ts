/** A half-open range in UTF-16 code units of the original text. */
export interface Range {
  start: number;
  end: number;
}

/** A normalised text that remembers which range of the original each of its code units came from. */
export interface NormalisedText {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const joining = /^[\p{M}\p{Default_Ignorable_Code_Point}]/u;
const vowelOrFinalJamo = /^[\u1160-\u11ff\ud7b0-\ud7ff]/;
const hangul = /[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff]$/;
const typography: Record<string, string> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
};

/**
 * Folds what a careful copyist may change without changing the words: Unicode compatibility forms (NFKC),
 * typographic quotes and dashes, invisible characters, and runs of white space.
 */
export function normaliseText(original: string): NormalisedText {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let pendingSpace = null as Range | null;

  for (let at = 0; at < original.length;) {
    const end = endOfCluster(original, at);
    const folded = foldCluster(original, at, end);
    if (folded === ' ') {
      pendingSpace = { start: pendingSpace?.start ?? at, end };
    } else if (folded !== '') {
      if (pendingSpace && pieces.length > 0) push(' ', pendingSpace.start, pendingSpace.end);
      pendingSpace = null;
      push(folded, at, end);
    }
    at = end;
  }
  return { text: pieces.join(''), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };

  function push(piece: string, start: number, end: number): void {
    pieces.push(piece);
    for (let unit = 0; unit < piece.length; unit++) {
      starts.push(start);
      ends.push(end);
    }
  }
}

/** A base character with everything that composes with it or joins it, so that NFKC never crosses a boundary. */
function endOfCluster(text: string, start: number): number {
  let end = start + codePointLength(text, start);
  while (end < text.length && text.charCodeAt(end) >= 0xad) {
    const length = codePointLength(text, end);
    if (!joins(text.slice(start, end), text.slice(end, end + length).normalize('NFKC'))) break;
    end += length;
  }
  return end;
}

function joins(cluster: string, next: string): boolean {
  return joining.test(next) || (vowelOrFinalJamo.test(next) && hangul.test(cluster.normalize('NFKC')));
}

function codePointLength(text: string, at: number): 1 | 2 {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function foldCluster(original: string, start: number, end: number): string {
  const cluster = original.slice(start, end);
  const plain = isAscii(cluster) ? cluster : cluster.normalize('NFKC').replace(invisible, '');
  if (isAscii(plain)) return plain <= ' ' ? ' ' : plain;
  if (plain !== '' && plain.trim() === '') return ' ';
  return typography[plain] ?? plain;
}

function isAscii(character: string): boolean {
  return character.length === 1 && character < '\u0080';
}
