const sure = 0.5;
// Its word lists take a moment to read: not for who only looks cases up.
let loading: Promise<typeof import('@agonhq/engine/language')> | undefined;

/** The language of the first words of a case; `und` where they show none. */
export async function nameCaseLanguage(excerpt: string | null): Promise<string | null> {
  if (excerpt === null || excerpt === '') return null;
  const { detectLanguage } = await (loading ??= import('@agonhq/engine/language'));
  const { language, confidence } = await detectLanguage(excerpt);
  return confidence >= sure ? language : 'und';
}
