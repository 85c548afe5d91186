import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import type { BenchItemResult, ResultItem, SetOverview } from '@agonhq/bench';
import { AgonError } from '@agonhq/engine/agon-error';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';

type GridQuery = Omit<z.infer<typeof schemas.benchExportQuery>, 'format'>;

interface ItemPage {
  /** Places of the items on the page. */
  page: readonly number[];
  next: string | null;
  total: number;
}

/** Which items of a set a page shows. */
export function pageItems(
  set: SetOverview,
  { limit, after, ...query }: GridQuery & { limit: number; after?: string | undefined },
): ItemPage {
  const places = placeItems(set, query);
  const from = after === undefined ? 0 : findPlace(places, after, query) + 1;
  const page = places.slice(from, from + limit);
  return { page, total: places.length, next: from + limit < places.length ? String(page.at(-1)) : null };
}

/** The places of all items that match, in order. What systems said is taken from their first repeat. */
export function placeItems({ result }: SetOverview, query: GridQuery): number[] {
  const { only, system, against, category, gold, search = '', sort, order } = query;
  const first = result.systems.map(({ repeats }) => repeats[0]!);
  const whose = system === undefined ? first : [first[findSystem(result.systems, system)]!];
  const others = against === undefined ? first : [first[findSystem(result.systems, against)]!];
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (item: ResultItem, place: number) =>
    (category === undefined || item.category === category) &&
    (gold === undefined || item.gold === gold) &&
    words.every((word) => holdsWord(item, word)) &&
    matches[only](
      item,
      whose.map((outcomes) => outcomes[place]!),
      others.map((outcomes) => outcomes[place]!),
    );
  const places = result.items.flatMap((item, place) => (fits(item, place) ? [place] : []));
  if (sort === 'position') return order === 'desc' ? places.toReversed() : places;
  const value = new Map(places.map((place) => [place, values[sort](whose, others, place)]));
  const sign = order === 'desc' ? -1 : 1;
  return places.toSorted((one, other) => compareValues(value.get(one)!, value.get(other)!, sign) || one - other);
}

function holdsWord({ excerpt, id }: ResultItem, word: string): boolean {
  return excerpt.toLowerCase().includes(word) || (id?.toLowerCase().includes(word) ?? false);
}

/** Whether an item belongs to what is asked for, given what those who are asked about said of it, and the others. */
const matches: Record<
  GridQuery['only'],
  (item: ResultItem, whose: readonly BenchItemResult[], others: readonly BenchItemResult[]) => boolean
> = {
  all: () => true,
  wrong: ({ gold }, whose) => gold !== null && whose.some(({ said }) => said !== gold),
  disputed: (_, whose, others) => whose.some(({ said }) => others.some((other) => other.said !== said)),
  undecided: (_, whose) => whose.some(({ said }) => said === 'undecided' || said === 'failed'),
  corrected: ({ gold }, whose, others) =>
    gold !== null && whose.some(({ said }) => said !== gold) && others.some(({ said }) => said === gold),
  broken: ({ gold }, whose, others) =>
    gold !== null && whose.some(({ said }) => said === gold) && others.some(({ said }) => said !== gold),
};

type Outcomes = readonly (readonly BenchItemResult[])[];

const values: Record<
  Exclude<GridQuery['sort'], 'position'>,
  (whose: Outcomes, others: Outcomes, place: number) => number | null
> = {
  score: ([first], _, place) => first![place]!.score,
  cost: ([first], _, place) => first![place]!.usage?.costUsd ?? null,
  latency: ([first], _, place) => first![place]!.latencyMs,
  change: (whose, others, place) => {
    const scores = [...whose, ...others].flatMap((outcomes) => outcomes[place]!.score ?? []);
    return scores.length < 2 ? null : Math.max(...scores) - Math.min(...scores);
  },
};

/** What has no value comes last, whichever way. */
function compareValues(one: number | null, other: number | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return sign * (one - other);
}

function findSystem(systems: SetOverview['result']['systems'], name: string): number {
  const place = systems.findIndex((system) => system.name === name);
  if (place < 0)
    throw new AgonError(
      'unknown-system',
      `The set has no system ${name}.`,
      `It has ${systems.map((system) => system.name).join(', ')}.`,
    );
  return place;
}

/** Where the last page ended; in the order of the set, an item may be named that does not match. */
function findPlace(places: readonly number[], after: string, { sort, order }: GridQuery): number {
  const last = /^\d{1,9}$/.test(after) ? Number(after) : Number.NaN;
  const index =
    sort === 'position' && order === 'asc' ? places.findLastIndex((place) => place <= last) : places.indexOf(last);
  if (Number.isNaN(last) || (index < 0 && sort !== 'position'))
    throw new AgonError(
      'bad-page',
      '`after` names no page of items.',
      'Pass what `next` of the page before says, or nothing for the first.',
    );
  return index;
}

/** An item of a set with what each system said of it. */
export function showItem({ result }: SetOverview, place: number) {
  const { line, id, gold, category, excerpt } = result.items[place]!;
  const outcomes = result.systems.map(({ name, repeats }) => {
    const { said, score, rule, problem, usage, latencyMs } = repeats[0]![place]!;
    return {
      system: name,
      said,
      score,
      right: gold === null ? null : said === gold,
      costUsd: usage?.costUsd ?? null,
      latencyMs,
      rule,
      problem,
    };
  });
  return { position: place, line, id, gold, category, excerpt, outcomes };
}

const outcomeColumns = ['said', 'right', 'score', 'costUsd', 'latencyMs', 'rule', 'problem'] as const;

/** All items that match, as lines of a file. What is wrong with the query is thrown before the first of them. */
export function renderItemLines(
  set: SetOverview,
  { format, ...query }: z.infer<typeof schemas.benchExportQuery>,
): AsyncGenerator<string, void, void> {
  return renderPlaces(set, placeItems(set, query), format);
}

async function* renderPlaces(
  set: SetOverview,
  places: readonly number[],
  format: 'csv' | 'jsonl',
): AsyncGenerator<string, void, void> {
  if (format === 'csv')
    yield renderCsvRow(
      [
        'line',
        'id',
        'content',
        'gold',
        'category',
        ...set.result.systems.flatMap(({ name }) => outcomeColumns.map((column) => `${name}: ${column}`)),
      ].map(renderTextCell),
    );
  for (const place of places) {
    const item = showItem(set, place);
    if (format === 'jsonl') yield `${JSON.stringify(item)}\n`;
    else
      yield renderCsvRow([
        String(item.line),
        ...[item.id, item.excerpt, item.gold, item.category].map((text) => renderTextCell(text ?? '')),
        ...item.outcomes.flatMap((outcome) =>
          outcomeColumns.map((column) => {
            const value = outcome[column];
            return typeof value === 'string' ? renderTextCell(value) : String(value ?? '');
          }),
        ),
      ]);
  }
}
