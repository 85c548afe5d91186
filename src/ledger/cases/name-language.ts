const sure = 0.5;

/** The language of the first words of a case; `und` where they show none. */
export async function nameLanguage(excerpt: string | null): Promise<string | null> {
  if (excerpt === null || excerpt === '') return null;
  // Its word lists take a moment to read: not for who only looks cases up.
  const { detectLanguage } = await import('../../language/index.ts');
  const { language, confidence } = await detectLanguage(excerpt);
  return confidence >= sure ? language : 'und';
}
