import { readAsset } from '../package-folder.ts';

interface EnglishWords {
  common: ReadonlySet<string>;
  risk: ReadonlySet<string>;
}

let frequent: EnglishWords | undefined;

/** The English words that everything is told by. */
export function listEnglish(): EnglishWords {
  frequent ??= {
    // Frequent English words: enough to tell English from a cipher, not a dictionary.
    common: new Set(readAsset('common-words.txt').trim().split(/\s+/)),
    // Words that people disguise to get past a filter: recognised behind a disguise, they alone decide nothing.
    risk: new Set(readAsset('disguised-words.txt').trim().split(/\s+/)),
  };
  return frequent;
}

/** Whether a word, given in lower case, is English as far as we know: itself, or with an ordinary ending. */
export function isEnglish(word: string): boolean {
  const { common, risk } = listEnglish();
  return common.has(word) || risk.has(word) || listStems(word).some((stem) => common.has(stem) || risk.has(stem));
}

export function isRiskWord(word: string): boolean {
  const { risk } = listEnglish();
  return risk.has(word) || listStems(word).some((stem) => risk.has(stem));
}

let ranks: ReadonlyMap<string, number> | undefined;

/** English words by how frequent they are: loaded when a text is hard to read, since ordinary text needs none. */
export function rankWords(): ReadonlyMap<string, number> {
  ranks ??= new Map(
    readAsset('ranked-words.txt')
      .trim()
      .split(/\s+/)
      .map((each, rank) => [each, rank]),
  );
  return ranks;
}

/** Whether a word, given in lower case, is English by the larger list: for texts that look disguised as a whole. */
export function isWord(word: string): boolean {
  return word === 'a' || word === 'i' || rankWords().has(word) || isEnglish(word);
}

const endings: readonly [ending: string, instead: string][] = [
  ['s', ''],
  ['es', ''],
  ['ies', 'y'],
  ['ed', ''],
  ['d', ''],
  ['ied', 'y'],
  ['ing', ''],
  ['ing', 'e'],
  ['er', ''],
  ['r', ''],
  ['ers', ''],
  ['rs', ''],
  ['ly', ''],
  ['n', ''],
];

function listStems(word: string): string[] {
  const found: string[] = [];
  if (word.length < 5) return found;
  for (const [ending, instead] of endings) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length) + instead;
    if (stem.length < 3) continue;
    found.push(stem);
    if (instead === '' && stem.at(-1) === stem.at(-2)) found.push(stem.slice(0, -1));
  }
  return found;
}
