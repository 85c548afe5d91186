import { isEnglish, isRiskWord, rankWords } from '@agonhq/engine/language';

/** How surprising a word is: what frequent words are not. */
function surprise(word: string): number | null {
  if (word === 'a' || word === 'i') return 5;
  if (word.length === 1) return null;
  const rank = rankWords().get(word);
  if (rank !== undefined) return Math.log(rank + 20) + 1 + (word.length === 3 ? 0.5 : 0);
  return word.length >= 3 && (isRiskWord(word) || isEnglish(word)) ? 9 : null;
}

const longest = 18;
const unknownLetter = 4.5;
/** English needs about 1.7 a letter, with names in it more, letters drawn at random nearly as much as unknown ones. */
const mostPerLetter = 3.2;

/** Splits letters that were run together into words, the likeliest way; null where they are hardly English. */
export function segment(letters: string, most = mostPerLetter): string[] | null {
  const lower = letters.toLowerCase();
  const best: { cost: number; from: number; known: boolean }[] = [{ cost: 0, from: 0, known: true }];
  for (let end = 1; end <= lower.length; end++) {
    let choice = { cost: best[end - 1]!.cost + unknownLetter, from: end - 1, known: false };
    for (let from = Math.max(0, end - longest); from < end; from++) {
      const cost = surprise(lower.slice(from, end));
      if (cost !== null && best[from]!.cost + cost < choice.cost)
        choice = { cost: best[from]!.cost + cost, from, known: true };
    }
    best.push(choice);
  }
  if (best.at(-1)!.cost / Math.max(1, letters.length) > most) return null;
  const words: { text: string; known: boolean }[] = [];
  for (let end = letters.length; end > 0; end = best[end]!.from) {
    const { from, known } = best[end]!;
    const [next] = words;
    // Letters that belong to no word are one together: most often a name.
    if (!known && next && !next.known) next.text = letters.slice(from, end) + next.text;
    else words.unshift({ text: letters.slice(from, end), known });
  }
  return words.map(({ text }) => text);
}
