import type { PixelBox } from '../pixels.ts';
import type { SightView } from '../sight.ts';
import type { ObjectKind, ObjectTable } from './object-table.ts';

/** A thing in the picture, in words. */
export interface NamedObject {
  /** `a tabby`, `a gun` */
  named: string;
  /** Its kind in the table; null for what the table does not list. */
  kind: string | null;
  clauses: readonly string[];
  /** The network's own probability, 0 to 1; of a kind, summed over its words. */
  probability: number;
  /** Where it is seen best, in parts of the image's sides. */
  place: PixelBox;
}

/** Things that no table lists are named from here, and at most so many. */
const leastProbability = 0.35;
const mostOthers = 3;
/** A page of text is no photo: strokes and boxes are easily taken for tools there. */
const strictness = 10;

/** What is in the picture: what matters to the policy by its table, and the likeliest of everything else. */
export function nameObjects(
  views: readonly SightView[],
  { kinds, words }: ObjectTable,
  { isPage = false }: { isPage?: boolean } = {},
): NamedObject[] {
  const listed = kinds.flatMap((kind) => findKind(kind, views, words, isPage) ?? []);
  const known = new Set(kinds.flatMap(({ classes }) => classes));
  const others = words
    .flatMap((word, index): NamedObject[] => {
      const view = findBest(views, (one) => one.objects[index]!);
      const probability = view.objects[index]!;
      if (known.has(index) || probability < leastProbability) return [];
      return [{ named: nameWord(word), kind: null, clauses: [], probability, place: locateClass(view, index) }];
    })
    .toSorted((a, b) => b.probability - a.probability)
    .slice(0, mostOthers);
  return [...listed.toSorted((a, b) => b.probability - a.probability), ...others];
}

function findKind(
  kind: ObjectKind,
  views: readonly SightView[],
  words: readonly string[],
  isPage: boolean,
): NamedObject | null {
  const sumOf = ({ objects }: SightView) => kind.classes.reduce((sum, index) => sum + objects[index]!, 0);
  const view = findBest(views, sumOf);
  const probability = sumOf(view);
  if (probability < (isPage ? Math.min(0.9, kind.from * strictness) : kind.from)) return null;
  const best = kind.classes.reduce((most, index) => (view.objects[index]! > view.objects[most]! ? index : most));
  // The word itself where it is likely, else only what kind of thing it is.
  const named = view.objects[best]! >= leastProbability ? nameWord(words[best]!) : kind.named;
  return { named, kind: kind.id, clauses: kind.clauses, probability, place: locateClass(view, best) };
}

function findBest(views: readonly SightView[], score: (view: SightView) => number): SightView {
  return views.reduce((best, view) => (score(view) > score(best) ? view : best));
}

/** The fields of the grid where a class scores at least half of its best, as one box. */
export function locateClass({ map, place }: Pick<SightView, 'map' | 'place'>, index: number): PixelBox {
  const { columns, rows } = map;
  const scores = map.values.subarray(index * columns * rows, (index + 1) * columns * rows);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  let [left, right, top, bottom] = [columns, 0, rows, 0];
  for (const [at, score] of scores.entries()) {
    if (score < least + (most - least) / 2) continue;
    const [column, row] = [at % columns, Math.floor(at / columns)];
    left = Math.min(left, column);
    right = Math.max(right, column + 1);
    top = Math.min(top, row);
    bottom = Math.max(bottom, row + 1);
  }
  return {
    x: place.x + (left / columns) * place.width,
    y: place.y + (top / rows) * place.height,
    width: ((right - left) / columns) * place.width,
    height: ((bottom - top) / rows) * place.height,
  };
}

/** `assault_rifle` as it stands in a sentence. */
function nameWord(word: string): string {
  const plain = word.replaceAll('_', ' ');
  return `${/^[aeiou]/i.test(plain) ? 'an' : 'a'} ${plain}`;
}
