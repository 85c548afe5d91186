/** Letters it takes to tell a language. */
const enough = 24;

/**
 * The language of a text that the guard was not trained to judge (its code), or null when it was, or when there is too
 * little to tell. The guard reads English.
 */
export async function foreignLanguage(text: string): Promise<string | null> {
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length < enough) return null;
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  if (latin < letters.length / 2) return scriptOf(letters.join(''));
  const { detectAll } = await import('tinyld');
  const guesses = detectAll(text.slice(0, 4000));
  const english = guesses.find(({ lang }) => lang === 'en')?.accuracy ?? 0;
  const [best] = guesses;
  // Short, slangy or misspelt English is often taken for something else: only a clear case counts.
  return best && best.lang !== 'en' && best.accuracy > 0.5 && best.accuracy > 4 * english && letters.length >= 2 * enough ? best.lang : null;
}

function scriptOf(letters: string): string {
  const scripts = { Chinese: /\p{Script=Han}/u, Japanese: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, Korean: /\p{Script=Hangul}/u, Cyrillic: /\p{Script=Cyrillic}/u, Arabic: /\p{Script=Arabic}/u, Hebrew: /\p{Script=Hebrew}/u, Devanagari: /\p{Script=Devanagari}/u, Greek: /\p{Script=Greek}/u, Thai: /\p{Script=Thai}/u };
  return Object.entries(scripts).find(([, pattern]) => pattern.test(letters))?.[0] ?? 'another script';
}
