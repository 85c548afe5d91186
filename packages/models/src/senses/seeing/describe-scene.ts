import type { Nudity } from './judge-nudity.ts';
import type { NamedObject } from './name-objects.ts';

/** So much of the text stands in the description; all of it is an observation of its own. */
const mostLetters = 400;

interface Scene {
  objects: readonly NamedObject[];
  nudity: Nudity;
  text: string;
}

/**
 * A scene without the things that matter to no clause, and without those that are rather not there: they are named so
 * that somebody looks, and decide nothing. A text is judged by its words, and the names of animals, dishes and clothes
 * are also those of other matters.
 */
export function keepWhatMatters(scene: Scene): Scene {
  return { ...scene, objects: scene.objects.filter((seen) => seen.clauses.length > 0 && isLikely(seen)) };
}

function isLikely({ probability }: NamedObject): boolean {
  return probability >= 0.5;
}

/**
 * What the image models see, as the sentences that are judged. Only what they name; how sure they are stands beside.
 */
export function describeScene({ objects, nudity, text }: Scene): string {
  const subject = nudity.isDrawing ? 'The drawing' : 'The picture';
  const likely = new Set(objects.filter(isLikely).map(({ named }) => named));
  const others = [...new Set(objects.map(({ named }) => named))].filter((named) => !likely.has(named));
  const things = [...likely, ...others.map((named, index) => (index === 0 ? `perhaps ${named}` : named))];
  const shown =
    things.length > 0 ? `${subject} shows ${listWords(things)}.` : `${subject} shows nothing that is known by name.`;
  return [shown, ...describeNudity(nudity), ...quoteText(text)].join(' ');
}

function describeNudity({ kind }: Nudity): string[] {
  if (kind === 'explicit') return ['It probably shows naked people or a sexual act.'];
  return kind === 'suggestive' ? ['People in it wear few clothes.'] : [];
}

function quoteText(text: string): string[] {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  if (words === '') return [];
  const shown = words.length > mostLetters ? `${words.slice(0, mostLetters)}…` : words;
  return [`Written in it: “${shown}”.`];
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
