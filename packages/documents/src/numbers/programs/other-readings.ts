import { isSamePeriod } from '../values/scan-periods.ts';
import { listFacts } from './expression.ts';
import type { JudgedReading } from './read-statement.ts';
import { cleanLabel } from '../tables/read-grid.ts';
import { findNameWords, type Fact, type TypedTable } from './typed-table.ts';

/*
 * In a long document several tables have a line of one name: of a segment and of all, of a quarter and of a year,
 * before and after something. What fails by one of them and not by another is open.
 */

interface Named {
  fact: Fact;
  words: ReadonlySet<string>;
}

const known = new WeakMap<TypedTable, readonly Named[]>();

function nameFacts(table: TypedTable): readonly Named[] {
  let named = known.get(table);
  if (named === undefined) {
    const labels = new Map<string, readonly string[]>();
    const read = (label: string): readonly string[] => {
      let words = labels.get(label);
      if (words === undefined) labels.set(label, (words = findNameWords(cleanLabel(label)).map(({ word }) => word)));
      return words;
    };
    known.set(
      table,
      (named = table.facts.map((fact) => ({
        fact,
        words: new Set([...read(fact.row.label), ...read(fact.column.label)]),
      }))),
    );
  }
  return named;
}

/** Whether another line of the dossier that may be meant has another value, or has the one that is stated. */
export function hasOtherReading({ kind, proposition }: JudgedReading, tables: readonly TypedTable[]): boolean {
  const facts = listFacts(proposition);
  if (facts.length > 2) return false;
  const stated =
    kind === 'level' && proposition.op === '=' && proposition.right.op === 'stated' ? proposition.right : null;
  return facts.some((fact) => {
    const own = nameFacts(fact.table).find((one) => one.fact === fact)?.words ?? new Set<string>();
    return tables.some((table) =>
      nameFacts(table).some(({ fact: other, words }) => {
        if (other === fact || !isOfSameTime(fact, other) || ![...own].every((word) => words.has(word))) return false;
        const { value, precision } = other.number;
        if (stated !== null && isNear(value, stated.value, precision + stated.precision)) return true;
        return words.size === own.size && table !== fact.table && !isNear(value, fact.number.value, precision * 2);
      }),
    );
  });
}

function isOfSameTime({ number: left }: Fact, { number: right }: Fact): boolean {
  return (
    left.period !== null &&
    right.period !== null &&
    isSamePeriod(left.period, right.period) &&
    (left.unit === '%') === (right.unit === '%')
  );
}

/** Of either sign, and in whatever it is counted where one of the tables does not say so. */
function isNear(left: number, right: number, room: number): boolean {
  return [1, 1e3, 1e6, 1e-3, 1e-6].some(
    (scale) => Math.abs(Math.abs(left) - Math.abs(right) * scale) <= room * Math.max(1, scale) + 1e-9 * Math.abs(left),
  );
}
