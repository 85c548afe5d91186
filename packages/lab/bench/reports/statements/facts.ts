import type { Random } from '../random.ts';
import { showNumber, totalsOf, type Books } from './books.ts';

/** The kinds of statement that are made of books. */
export const statementKinds = [
  'level',
  'change',
  'direction',
  'share',
  'ratio',
  'average',
  'sum',
  'difference',
  'comparison',
  'rank',
  'second',
  'peak',
  'trend',
  'count',
  'threshold',
  'pace',
  'missing',
] as const;
export type MadeKind = (typeof statementKinds)[number];

/** What a statement says, before it is worded: phrasings fill these in. */
export interface Told {
  kind: MadeKind;
  isTrue: boolean;
  m: string;
  e: string;
  f: string;
  p: string;
  q: string;
  n: string;
  unit: string;
  up: boolean;
  noun: Books['noun'];
  span: string;
  count: number;
  of: number;
}

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];
export const countWord = (count: number): string => words[count] ?? String(count);

/** A statement of a kind that is true, or false by the least change; null where the books have none. */
export function tell(books: Books, kind: MadeKind, isTrue: boolean, random: Random): Told | null {
  const { entities, periods, values, measure, noun, span } = books;
  const last = periods.length - 1;
  const at = random.integer(0, entities.length - 1);
  const other = (at + random.integer(1, entities.length - 1)) % entities.length;
  const when = random.integer(1, last);
  const totals = totalsOf(books);
  const own = values[at]!;
  const off = (value: number): number => value * (1 + (random.chance(0.5) ? 1 : -1) * random.between(0.07, 0.3));
  const number = (value: number): string => showNumber(isTrue ? value : off(value), measure.decimals);
  const percent = (value: number): string =>
    `${showNumber(100 * Math.abs(isTrue ? value : value + (value > 0 ? 1 : -1) * random.between(0.04, 0.15)), 1)} %`;
  const told = (parts: Partial<Told>): Told => ({
    kind,
    isTrue,
    m: measure.name,
    e: entities[at]!,
    f: entities[other]!,
    p: periods[when]!,
    q: periods[when - 1]!,
    n: '',
    unit:
      measure.unit === ''
        ? ''
        : ` ${measure.unit.replace('EUR million', 'million euros').replace('GBP thousand', 'thousand pounds')}`,
    up: true,
    noun,
    span,
    count: 0,
    of: entities.length,
    ...parts,
  });
  const [now, then] = [own[when]!, own[when - 1]!];
  const growth = now / then - 1;
  switch (kind) {
    case 'level':
      return told({ n: number(now) });
    case 'change':
      return Math.abs(growth) < 0.02 ? null : told({ n: percent(growth), up: growth > 0 });
    case 'direction':
      return Math.abs(growth) < 0.02 ? null : told({ up: growth > 0 === isTrue });
    case 'share':
      return told({ n: percent(now / totals[when]!) });
    case 'ratio': {
      const ratio = now / values[other]![when]!;
      return ratio < 1.3 ? null : told({ n: showNumber(isTrue ? ratio : off(ratio), 1) });
    }
    case 'average':
      return told({ n: number(own.reduce((sum, value) => sum + value, 0) / own.length), p: '', count: own.length });
    case 'sum':
      return told({ n: number(now + values[other]![when]!) });
    case 'difference': {
      const gap = now - values[other]![when]!;
      return Math.abs(gap) < 0.1 * now
        ? null
        : told(gap > 0 ? { n: number(gap) } : { n: number(-gap), e: entities[other]!, f: entities[at]! });
    }
    case 'comparison': {
      const more = now > values[other]![when]!;
      return told({ up: more === isTrue });
    }
    case 'rank':
    case 'second': {
      const order = entities
        .map((_, index) => index)
        .toSorted((left, right) => values[right]![when]! - values[left]![when]!);
      const place = kind === 'rank' ? 0 : 1;
      const wrong = order.filter((_, index) => index !== place);
      return told({ e: entities[isTrue ? order[place]! : random.pick(wrong)]! });
    }
    case 'peak': {
      const best = own.indexOf(Math.max(...own));
      const wrong = periods.filter((_, index) => index !== best);
      return told({ p: isTrue ? periods[best]! : random.pick(wrong) });
    }
    case 'trend': {
      const rising = own.every((value, index) => index === 0 || value > own[index - 1]!);
      const falling = own.every((value, index) => index === 0 || value < own[index - 1]!);
      if (isTrue !== (rising || falling)) return null;
      return told({ up: isTrue ? rising : own[last]! > own[0]! });
    }
    case 'count': {
      const grown = values.filter((row) => row[when]! > row[when - 1]!).length;
      if (grown === 0 || (grown === 1 && !isTrue)) return null;
      return told({
        count: isTrue ? grown : grown + (grown === entities.length || (random.chance(0.5) && grown > 0) ? -1 : 1),
      });
    }
    case 'threshold': {
      const limit = now * (isTrue ? random.between(0.8, 0.95) : random.between(1.05, 1.2));
      return told({ n: showNumber(Math.round(limit), 0) });
    }
    case 'pace': {
      const pace = (row: readonly number[]): number => row[when]! / row[when - 1]! - 1;
      const faster = pace(own) > pace(values[other]!);
      if (pace(own) < 0.005 || pace(values[other]!) < 0.005 || Math.abs(pace(own) - pace(values[other]!)) < 0.005)
        return null;
      const swap = faster !== isTrue;
      return told(swap ? { e: entities[other]!, f: entities[at]! } : {});
    }
    case 'missing':
      return isTrue
        ? null
        : told({ n: number(now), e: random.pick(['Overseas', 'Wholesale', 'Northfield', 'Export']) });
  }
}
