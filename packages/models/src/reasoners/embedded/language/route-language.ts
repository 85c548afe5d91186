import { describesImage, findReadableForm, isObservation, type CaseFile } from '@agonhq/engine/debate';
import { joinWithAnd } from '@agonhq/engine/text';
import { registeredGuards, type GuardModel, type RegisteredGuard } from '../guard.ts';
import { detectLanguage, nameLanguage } from '@agonhq/engine/language';

type Judging = Pick<RegisteredGuard, 'languages'>;

/** Where the languages of a case lead to. */
export interface Route {
  /** The guard that judges all of them; where none does, the first. */
  open(): Promise<GuardModel>;
  /** The language that no guard judges; null where one does. */
  unjudged: Unjudged | null;
}

/** In words, a language that is not judged, and those that are. */
export interface Unjudged {
  language: string;
  judged: string;
}

const routes = new WeakMap<object, Promise<Route>>();

/** The guard for the texts of a case, found out once for each. A text that shows no language is the first guard's. */
export function routeCase(
  judged: object,
  listTexts: () => readonly { text: string }[],
  guards: readonly RegisteredGuard[] = registeredGuards,
): Promise<Route> {
  let route = routes.get(judged);
  if (!route) routes.set(judged, (route = findRoute(listTexts(), guards)));
  return route;
}

/**
 * What knows English alone: the code that argues about documents. And what was measured in English alone: answers of
 * models, and images.
 */
export const englishGuards = registeredGuards.slice(0, 1).map((guard) => ({ ...guard, languages: { en: 'balanced' } }));

export async function findForeignLanguage(
  judged: object,
  listTexts: () => readonly { text: string }[],
): Promise<Unjudged | null> {
  return (await routeCase(judged, listTexts, englishGuards)).unjudged;
}

function showsImage(source: CaseFile['sources'][number]): boolean {
  return describesImage(source) || (isObservation(source) && source.tool === 'ocr');
}

/** By the texts that are judged, and what their images show. */
export function routeContent(caseFile: CaseFile) {
  return routeCase(
    caseFile,
    () =>
      caseFile.sources
        .filter((source) => !isObservation(source) || showsImage(source))
        .map((source) => findReadableForm(source, caseFile.sources)),
    caseFile.sources.some(showsImage) ? englishGuards : registeredGuards,
  );
}

export async function findRoute(
  texts: readonly { text: string }[],
  guards: readonly RegisteredGuard[],
): Promise<Route> {
  const languages = await findLanguages(texts);
  const guard = findGuard(languages, guards) ?? guards[0]!;
  const language = nameUnjudged(languages, guards);
  return {
    open: () => guard.open(languages),
    unjudged: language === null ? null : { language, judged: nameJudged(guards) },
  };
}

/** From so sure on, a text is taken to be in the language found; below, in the one of the first guard. */
const sure = 0.5;

/** The languages of some texts, each once; nothing of a text that shows none. */
async function findLanguages(texts: readonly { text: string }[]): Promise<string[]> {
  const found = await Promise.all(texts.map(({ text }) => detectLanguage(text)));
  return [...new Set(found.filter(({ confidence }) => confidence >= sure).map(({ language }) => language))].filter(
    (language) => language !== 'und',
  );
}

/** The first guard that judges all of these languages. */
function findGuard<Guard extends Judging>(languages: readonly string[], guards: readonly Guard[]): Guard | null {
  return guards.find((guard) => languages.every((language) => Object.hasOwn(guard.languages, language))) ?? null;
}

/** In words, the first of these languages that no guard judges, or all of them where no guard judges them together. */
function nameUnjudged(languages: readonly string[], guards: readonly Judging[]): string | null {
  if (findGuard(languages, guards)) return null;
  const alone = languages.find((language) => !findGuard([language], guards));
  return alone === undefined ? joinWithAnd(languages.map(nameLanguage)) : nameLanguage(alone);
}

/** In words, the languages that guards judge: `English`, `English, French and 3 more`. */
function nameJudged(guards: readonly Judging[]): string {
  const all = [...new Set(guards.flatMap(({ languages }) => Object.keys(languages)))].map(nameLanguage);
  return all.length <= 5 ? joinWithAnd(all) : joinWithAnd([...all.slice(0, 4), `${all.length - 4} more`]);
}
