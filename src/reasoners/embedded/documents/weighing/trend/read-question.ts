import { stemAll, stemWithIrregulars, type Token } from '../../../../../text/index.ts';

/** What a clause says of things over time. */
export type Question =
  /** It rose, fell, stayed, or became so many times what it was. */
  | { kind: 'move'; direction: 1 | -1 | 0; times: number | null; at: number }
  /** One changed more (1) or less (-1) than the other, upward or downward. */
  | { kind: 'pace'; more: 1 | -1; direction: 1 | -1; at: number; than: number }
  /** One is higher (1) or lower (-1) than the other. */
  | { kind: 'level'; more: 1 | -1; at: number; than: number }
  /** One did better (1) or worse (-1) than the other: higher, and with more growth. */
  | { kind: 'ahead'; more: 1 | -1; at: number; than: number }
  /** One changed most, or is the highest or lowest of all. */
  | { kind: 'top'; of: 'pace' | 'level'; more: 1 | -1; at: number };

const up = stemAll(`
  grow growing grows grew growth rise rising rose increase increased improve improved climb climbed gain gained expand
  expanded jumped surged soared advanced up`);
const down = stemAll(`
  fall falling fell decline declined decrease decreased shrink shrank shrunk shrinking drop dropped contract
  contracted slip slipped plunged slumped deteriorated worsened down lost`);
const flat = stemAll('flat unchanged stagnated stagnant');
/** Words that say one thing, and words that say its opposite. */
const signWords = (plus: string, minus: string): ReadonlyMap<string, 1 | -1> =>
  new Map([
    ...Array.from(stemAll(plus), (stem) => [stem, 1] as const),
    ...Array.from(stemAll(minus), (stem) => [stem, -1] as const),
  ]);
const multiples: ReadonlyMap<string, number> = new Map(
  [
    ['double', 2],
    ['doubled', 2],
    ['triple', 3],
    ['tripled', 3],
    ['trebled', 3],
    ['quadrupled', 4],
    ['halved', 0.5],
  ].map(([word, times]) => [stemWithIrregulars(word as string), times as number]),
);
const faster = signWords('faster quicker', 'slower');
const comparatives = signWords(
  'more higher larger bigger greater stronger better',
  'less lower smaller weaker fewer worse',
);
const paceVerbs = stemAll('outgrew outgrow outgrown outpace outpaced outstripped');
const levelVerbs = signWords('exceed exceeded exceeds surpassed surpasses overtook outsold', 'trailed trails');
const aheadVerbs = signWords('outperformed outperform outperforms', 'underperformed underperform lagged lags');
const topPace = signWords('fastest', 'slowest');
const topLevel = signWords('highest largest biggest greatest strongest', 'lowest smallest weakest');
const asking: readonly { has(stem: string): boolean }[] = [
  up,
  down,
  flat,
  multiples,
  faster,
  comparatives,
  paceVerbs,
  levelVerbs,
  aheadVerbs,
  topPace,
  topLevel,
];

/** Words with which a clause asks: they name nothing that a table would have to know. */
export function isAsking(stem: string): boolean {
  return fillers.has(stem) || asking.some((words) => words.has(stem));
}

/** What clauses of this kind say beside: scope and manner, no measure. */
const fillers = stemAll(`
  region regions segment segments business market markets division unit area country year years quarter period fiscal
  previous prior last compared comparison strongly sharply slightly markedly steadily rapidly quickly considerably
  much far even still again overall company group time times rate pace report reported see saw record recorded remain
  remained stay stayed become became show showed had have level value quarterly annual annually than any other`);

/** How one clause asks; null when it does not, or in several ways. */
export function readQuestion(tokens: readonly Token[]): Question | null {
  const words = tokens.map(({ stem }) => stem);
  const find = (known: { has(stem: string): boolean }): number => words.findIndex((word) => known.has(word));
  const moved = find({ has: (word) => up.has(word) || down.has(word) });
  const direction = moved < 0 ? null : up.has(words[moved]!) ? 1 : -1;
  const opposed = direction !== null && words.some((word) => (direction === 1 ? down : up).has(word));
  if (opposed) return null;

  const than = words.indexOf('than');
  if (than >= 0) {
    const at = words.findLastIndex((word, index) => index < than && (faster.has(word) || comparatives.has(word)));
    if (at < 0) return null;
    const pace = faster.get(words[at]!);
    if (pace !== undefined || direction !== null)
      return { kind: 'pace', more: pace ?? comparatives.get(words[at]!)!, direction: direction ?? 1, at, than };
    return { kind: 'level', more: comparatives.get(words[at]!)!, at, than };
  }
  const paced = find(paceVerbs);
  if (paced >= 0) return { kind: 'pace', more: 1, direction: 1, at: paced, than: paced };
  const levelled = find(levelVerbs);
  if (levelled >= 0) return { kind: 'level', more: levelVerbs.get(words[levelled]!)!, at: levelled, than: levelled };
  const ahead = find(aheadVerbs);
  if (ahead >= 0) return { kind: 'ahead', more: aheadVerbs.get(words[ahead]!)!, at: ahead, than: ahead };
  const fastest = find(topPace);
  if (fastest >= 0) return { kind: 'top', of: 'pace', more: topPace.get(words[fastest]!)!, at: fastest };
  const highest = find(topLevel);
  if (highest >= 0)
    return {
      kind: 'top',
      of: direction === null ? 'level' : 'pace',
      more: topLevel.get(words[highest]!)!,
      at: highest,
    };

  const multiplied = find(multiples);
  if (multiplied >= 0)
    return {
      kind: 'move',
      direction: multiples.get(words[multiplied]!)! > 1 ? 1 : -1,
      times: multiples.get(words[multiplied]!)!,
      at: multiplied,
    };
  const flatly = find(flat);
  if (flatly >= 0) return direction === null ? { kind: 'move', direction: 0, times: null, at: flatly } : null;
  return direction === null ? null : { kind: 'move', direction, times: null, at: moved };
}
