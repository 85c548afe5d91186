/** A word of a text, as it is compared: folded, and without its inflection. */
export interface Word {
  folded: string;
  stem: string;
  start: number;
  end: number;
}

// Numbers keep their points and signs of thousands; scripts without spaces are taken letter by letter.
const wordPattern =
  /\p{Nd}+(?:[.,]\p{Nd}+)*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(wordPattern), (match) => {
    const folded = fold(match[0]);
    return { folded, stem: stemOf(folded), start: match.index, end: match.index + match[0].length };
  });
}

export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('’', "'");
}

/** A light stem: plural, -ing, -ed, -ly and possessives. It need not be a word, only the same for forms of one. */
function stemOf(word: string): string {
  if (!/^[a-z']+$/.test(word)) return word.replaceAll(',', '');
  const plain = word.replace(/'s?$/, '');
  const bare = plain.length > 4 ? plain.replace(/ies$/, 'y').replace(/(?:(?<=[sxz]|ch|sh)es|(?<![su])s)$/, '') : plain;
  const root = bare.replace(/(?<=[a-z]{3})(?:ing|ed|ly)$/, '');
  return root.replace(/(.)\1$/, '$1').replace(/e$/, '');
}

const functionWords = new Set(
  (
    'a an the and or nor but of in on at by for from to with as is are was were be been being it its this that ' +
    'these those there their they we our us i you he she his her ' +
    'has have had do does did not no than then so such which who whom whose what when where while will would can ' +
    'could may might shall should must also into over under ' +
    'between per up down out about after before during through against both each other some any all more most ' +
    'only same own s t'
  ).split(' '),
);

/** Whether a word says something of its own. */
export function isContent({ folded }: Word): boolean {
  return !functionWords.has(folded);
}

/** What a text is about: the stems of its words that say something. */
export function stemsOf(text: string): Set<string> {
  return new Set(
    wordsOf(text)
      .filter(isContent)
      .map(({ stem }) => stem),
  );
}

export function sharedBy(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((member) => b.has(member)).length;
}
