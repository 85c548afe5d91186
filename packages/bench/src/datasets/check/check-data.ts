import type { ItemLine } from '@agonhq/engine/items';
import {
  looksLikeRefusal,
  type LabelledItem,
  prepareText,
  type ItemText,
  type PreparedText,
} from '../labelled-item.ts';
import { createFingerprintTable, fingerprintText, splitIntoWords } from './fingerprints.ts';
import {
  indexTrainingData,
  indexTexts,
  type KnownTexts,
  type Leak,
  type LeakSources,
  type SourceLeaks,
} from './leakage.ts';
import { indexNearTexts } from './near-texts.ts';
import { quantilesOfCounts } from '@agonhq/engine/statistics';
import { shortenWithin, toOneLine } from '@agonhq/engine/text';

/** How often each name came; beyond so many names the others are counted together. */
interface Tally {
  add(name: string): void;
  /** The most frequent first, then by name. */
  counts(): { name: string; count: number }[];
}

const otherNames = '(others)';

function createTally(most = 1_000): Tally {
  const counted = new Map<string, number>();
  return {
    add(name) {
      const counts = counted.has(name) || counted.size < most ? name : otherNames;
      counted.set(counts, (counted.get(counts) ?? 0) + 1);
    },
    counts: () =>
      [...counted]
        .map(([name, count]) => ({ name, count }))
        .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
  };
}

/** What is in a set of labelled data, and what is wrong with it. Lists name the first of what is counted. */
export interface DataCheck {
  items: number;
  broken: { items: number; causes: { message: string; items: number; line: number }[] };
  labels: Counted[];
  categories: Counted[];
  modalities: Counted[];
  /** Items that several people judged, and those on which they were divided. */
  raters: { items: number; divided: number };
  /** Characters of what is judged. */
  lengths: Record<'least' | 'p10' | 'p50' | 'p90' | 'p99' | 'most', number | null>;
  ids: { without: number; repeated: number; places: Repeat[] };
  duplicates: { items: number; places: Repeat[] };
  /** `looked` is how many items were compared: of a very large file the first ones. */
  nearDuplicates: { items: number; looked: number; places: (Repeat & { similarity: number })[] };
  /** The same words under another label. */
  conflicts: { items: number; places: (Repeat & { labels: [string, string]; excerpt: string })[] };
  trivial: { marked: number; refusals: number; oneWord: number; empty: number; items: number };
  leakage: SourceLeaks[];
}

export interface Counted {
  name: string;
  count: number;
}

/** A line that repeats an earlier one. */
export interface Repeat {
  line: number;
  of: number;
}

/** Texts that stream by: a training file. */
export interface AgainstTexts {
  source: string;
  texts: AsyncIterable<{ line: number; text: string }>;
}

export interface CheckOptions extends LeakSources {
  /** Read after the data, each once. */
  against?: readonly AgainstTexts[];
  onProgress?: (items: number) => void;
  /** Items among which near-duplicates are looked for. */
  mostCompared?: number;
}

/** Places that a list names. */
const mostPlaces = 1_000;
/** Items among which near-duplicates are looked for unless it is said otherwise, and the characters they may have. */
const usuallyCompared = 100_000;
const mostComparedCharacters = 32_000_000;
const excerptLength = 100;

/** Reads labelled data once, whatever its size, and says what is in it. */
export async function checkDataset(
  lines: AsyncIterable<ItemLine<LabelledItem>>,
  readText: (item: LabelledItem) => ItemText | null,
  { precedents, training = [], against = [], onProgress, mostCompared = usuallyCompared }: CheckOptions = {},
): Promise<DataCheck> {
  const [labels, categories, modalities] = [createTally(), createTally(), createTally()];
  const lengths = new Map<number, number>();
  const causes = new Map<string, { message: string; items: number; line: number }>();
  const labelNames: string[] = [];
  const [known, knownIds, near] = [createFingerprintTable(), createFingerprintTable(), indexNearTexts()];
  const about: { line: number; about: number; id: string | null }[] = [];
  const ids = { without: 0, repeated: 0, places: [] as Repeat[] };
  const duplicates = { items: 0, places: [] as Repeat[] };
  const nearDuplicates = { items: 0, looked: 0, places: [] as (Repeat & { similarity: number })[] };
  const conflicts = { items: 0, places: [] as DataCheck['conflicts']['places'] };
  const trivial = { marked: 0, refusals: 0, oneWord: 0, empty: 0, items: 0 };
  const raters = { items: 0, divided: 0 };
  const sources: { leaks: SourceLeaks; seen: KnownTexts }[] = [
    ...(precedents
      ? [
          {
            leaks: noLeaks('precedents', 'precedents'),
            seen: indexTexts(precedents.map(({ id, text }) => ({ name: id, text }))),
          },
        ]
      : []),
    ...training.map((model) => ({ leaks: noLeaks('model', model.model), seen: indexTrainingData(model) })),
  ];
  let [items, broken, readable, compared] = [0, 0, 0, 0];

  for await (const line of lines) {
    items += 1;
    if (items % 500 === 0) onProgress?.(items);
    if ('error' in line) {
      broken += 1;
      const cause = causes.get(line.error.message);
      if (cause) cause.items += 1;
      else if (causes.size < mostPlaces)
        causes.set(line.error.message, { message: line.error.message, items: 1, line: line.line });
      continue;
    }
    const { item } = line;
    const id = item.id ?? null;
    const { label } = item;
    labels.add(label);
    categories.add(item.category ?? '(none)');
    modalities.add(item.modality ?? '(none)');
    noteRaters(item.raters);
    noteId(id, line.line);
    const text = prepareText(readText(item));
    noteTrivial(item, text);
    if (!text) continue;
    readable += 1;
    lengths.set(text.whole.length, (lengths.get(text.whole.length) ?? 0) + 1);
    for (const { leaks, seen } of sources) note(leaks, seen.find(text), line.line, id);
    noteRepeats(line.line, id, label, text);
  }
  for (const { source, texts } of against)
    sources.push({ leaks: await leaksFrom(source, texts), seen: { find: () => null } });

  function noteRaters(given: readonly string[] | null): void {
    if (!given) return;
    raters.items += 1;
    if (new Set(given).size > 1) raters.divided += 1;
  }

  function noteId(id: string | null, line: number): void {
    if (id === null) return void (ids.without += 1);
    const first = knownIds.first(fingerprintText(id), line, 0);
    if (!first) return;
    ids.repeated += 1;
    if (ids.places.length < mostPlaces) ids.places.push({ line, of: first.line });
  }

  function noteTrivial(item: LabelledItem, text: PreparedText | null): void {
    const words = text?.words.length ?? 0;
    const refusal = text !== null && item.modality !== 'claim' && looksLikeRefusal(text.response ?? text.whole);
    if (item.trivial) trivial.marked += 1;
    if (refusal) trivial.refusals += 1;
    if (words === 0) trivial.empty += 1;
    if (words === 1) trivial.oneWord += 1;
    if (item.trivial || refusal || words <= 1) trivial.items += 1;
  }

  function noteRepeats(line: number, id: string | null, label: string, text: PreparedText): void {
    const { words } = text;
    const source = text.about === '' ? 0 : fingerprintText(text.about);
    if (!labelNames.includes(label)) labelNames.push(label);
    const first = known.first(
      source === 0 ? text.fingerprint : fingerprintText(`${source} ${text.plain}`),
      line,
      labelNames.indexOf(label),
    );
    if (first) {
      duplicates.items += 1;
      if (duplicates.places.length < mostPlaces) duplicates.places.push({ line, of: first.line });
      const other = labelNames[first.label]!;
      if (other === label) return;
      conflicts.items += 1;
      if (conflicts.places.length < mostPlaces)
        conflicts.places.push({ line, of: first.line, labels: [label, other], excerpt: excerptOf(text.whole) });
      return;
    }
    if (near.size >= mostCompared || compared > mostComparedCharacters) return;
    const [nearest] = near.find(words, source === 0 ? 1 : undefined).filter(({ key }) => about[key]!.about === source);
    if (nearest) {
      nearDuplicates.items += 1;
      if (nearDuplicates.places.length < mostPlaces)
        nearDuplicates.places.push({
          line,
          of: about[nearest.key]!.line,
          similarity: Math.round(nearest.similarity * 1000) / 1000,
        });
    }
    near.add(words, about.length);
    about.push({ line, about: source, id });
    compared += text.whole.length;
  }

  /** The data is known by now: what streams by is held against it. */
  async function leaksFrom(source: string, texts: AgainstTexts['texts']): Promise<SourceLeaks> {
    const leaks = noLeaks('file', source);
    const noted = new Set<number>();
    let seen = 0;
    for await (const { line, text } of texts) {
      seen += 1;
      if (seen % 500 === 0) onProgress?.(items + seen);
      const words = splitIntoWords(text);
      if (words.length === 0) continue;
      for (const { key, similarity } of near.find(words)) {
        const place = about[key]!;
        if (noted.has(place.line)) continue;
        noted.add(place.line);
        note(
          leaks,
          {
            match: `${source}:${line}`,
            how: similarity === 1 ? 'same' : 'near',
            similarity: Math.round(similarity * 1000) / 1000,
          },
          place.line,
          place.id,
        );
      }
      // Of a very large file only the first items are kept as texts; that one is quite the same is known of all.
      const same = known.lineOf(fingerprintText(words.join(' ')));
      if (same === null || noted.has(same)) continue;
      noted.add(same);
      note(leaks, { match: `${source}:${line}`, how: 'same', similarity: 1 }, same, null);
    }
    leaks.places.sort((a, b) => a.line - b.line);
    return leaks;
  }

  nearDuplicates.looked = near.size;
  const shares = { least: 0, p10: 0.1, p50: 0.5, p90: 0.9, p99: 0.99, most: 1 };
  const quantiles = quantilesOfCounts(lengths, Object.values(shares));
  return {
    items,
    broken: {
      items: broken,
      causes: [...causes.values()].toSorted((a, b) => b.items - a.items || a.line - b.line).slice(0, mostPlaces),
    },
    labels: labels.counts(),
    categories: categories.counts(),
    modalities: modalities.counts(),
    raters,
    lengths: Object.fromEntries(
      Object.keys(shares).map((name, index) => [name, quantiles[index]!]),
    ) as DataCheck['lengths'],
    ids,
    duplicates,
    nearDuplicates,
    conflicts,
    trivial,
    leakage: sources.map(({ leaks }) => ({ ...leaks, share: readable === 0 ? null : leaks.items / readable })),
  };
}

function noLeaks(kind: SourceLeaks['kind'], source: string): SourceLeaks {
  return { kind, source, items: 0, share: null, places: [] };
}

function note(leaks: SourceLeaks, found: Omit<Leak, 'line' | 'id'> | null, line: number, id: string | null): void {
  if (!found) return;
  leaks.items += 1;
  if (leaks.places.length < mostPlaces) leaks.places.push({ line, id, ...found });
}

function excerptOf(text: string): string {
  return shortenWithin(toOneLine(text), excerptLength);
}

/** Whether somebody should look at the data before it is measured on: it was seen before, or contradicts itself. */
export function hasFindings({ conflicts, leakage }: DataCheck): boolean {
  return conflicts.items > 0 || leakage.some(({ items }) => items > 0);
}
