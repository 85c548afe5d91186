import type { Basis } from '../values/read-basis.ts';
import type { Fact, TypedTable } from './typed-table.ts';

const known = new WeakMap<TypedTable, Map<Basis | null, TypedTable>>();

/**
 * A table with the figures of one basis: what is said "as restated" is not held against what was first reported, and
 * what says nothing against neither, unless a period has only restated figures.
 */
export function takeBasis(table: TypedTable, basis: Basis | null): TypedTable {
  const taken = known.get(table) ?? new Map<Basis | null, TypedTable>();
  known.set(table, taken);
  if (taken.size === 0 && table.facts.every(({ number }) => number.basis === null)) taken.set(null, table);
  let found = taken.get(basis);
  if (found === undefined) taken.set(basis, (found = { ...table, facts: table.facts.filter(isTaken) }));
  return found;

  function isTaken(fact: Fact): boolean {
    if (fact.number.basis === basis) return true;
    const isOnly = (): boolean =>
      !table.facts.some(
        ({ row, number }) => row === fact.row && number !== fact.number && number.period === fact.number.period,
      );
    return basis === null && fact.number.basis === 'restated' && isOnly();
  }
}
