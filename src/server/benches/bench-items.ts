import type { z } from 'zod';
import type { schemas } from '../../api/index.ts';
import type { LeanSet, SheetItem, SheetOutcome } from '../../bench/index.ts';
import { AgonError } from '../../errors.ts';

type Query = z.infer<typeof schemas.benchItemQuery>;

export interface ItemPlaces {
  /** Places of the items on the page. */
  page: readonly number[];
  next: string | null;
  total: number;
}

/** Which items of a set a page shows. What systems said is taken from their first repeat. */
export function placesOf({ sheet }: LeanSet, { limit, after, only, system, category }: Query): ItemPlaces {
  const from = after === undefined ? 0 : positionIn(after) + 1;
  const first = sheet.systems.map(({ repeats }) => repeats[0]!);
  const whose = system === undefined ? first : [first[systemPlace(sheet.systems, system)]!];
  const fits = (item: SheetItem, place: number) =>
    (category === undefined || item.category === category) &&
    matches[only](
      item,
      whose.map((outcomes) => outcomes[place]!),
      first.map((outcomes) => outcomes[place]!),
    );
  const places = sheet.items.flatMap((item, place) => (fits(item, place) ? [place] : []));
  const page = places.filter((place) => place >= from).slice(0, limit);
  const last = page.at(-1);
  return { page, total: places.length, next: last === undefined || last === places.at(-1) ? null : String(last) };
}

/** Whether an item belongs to what is asked for, given what those who are asked about said of it, and what all did. */
const matches: Record<
  Query['only'],
  (item: SheetItem, whose: readonly SheetOutcome[], all: readonly SheetOutcome[]) => boolean
> = {
  all: () => true,
  wrong: ({ gold }, whose) => gold !== null && whose.some(({ said }) => said !== gold),
  disputed: (_, whose, all) => whose.some(({ said }) => all.some((other) => other.said !== said)),
  undecided: (_, whose) => whose.some(({ said }) => said === 'undecided' || said === 'failed'),
};

function systemPlace(systems: LeanSet['sheet']['systems'], name: string): number {
  const place = systems.findIndex((system) => system.name === name);
  if (place < 0)
    throw new AgonError(
      'unknown-system',
      `The set has no system ${name}.`,
      `It has ${systems.map((system) => system.name).join(', ')}.`,
    );
  return place;
}

function positionIn(after: string): number {
  if (/^\d{1,9}$/.test(after)) return Number(after);
  throw new AgonError(
    'bad-page',
    'There is no such page of items.',
    'Pass what `next` of the page before says, or nothing for the first.',
  );
}
