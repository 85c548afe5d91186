import { readClause } from './read-clause.ts';
import { readStatement, type SaidNumber } from './read-statement.ts';
import { findNameWords, type TypedTable } from './typed-table.ts';

/*
 * A table that nothing names is about what is said of its lines: "Parcels in Ashby came to 61 in 2024" gives its name
 * to the one table that has a row Ashby and a column 2024, and no title.
 */

/** More words are no name. */
const longestMeasure = 3;

/**
 * The words that a sentence has for what a table measures; null where it does not speak of its lines, or names them.
 */
function findMeasure(text: string, table: TypedTable, others: readonly TypedTable[]): readonly string[] | null {
  const { mentions, periods, bases, unknown } = readClause(text, table);
  const rows = mentions.filter(({ name }) => name.rows !== null);
  if (rows.length === 0 || periods.length + bases.length === 0 || unknown.length === 0) return null;
  const words = findNameWords(text).filter(({ start, end }) => unknown.includes(text.slice(start, end)));
  const [first] = words;
  const isOne = words.every(({ start }, at) => at === 0 || start - words[at - 1]!.end <= 1);
  const isName = words.some(({ start }) => start > 0 && /\p{Lu}/u.test(text[start]!));
  if (first === undefined || !isOne || isName || words.length > longestMeasure) return null;
  const measure = words.map(({ word }) => word);
  const isElsewhere = others.some(
    (other) =>
      other !== table &&
      (measure.every((word) => other.known.has(word) || other.names.some((name) => name.words.includes(word))) ||
        (other.isUnnamed &&
          rows.every(({ name }) => other.names.some((own) => own.words.join(' ') === name.words.join(' '))))),
  );
  return isElsewhere ? null : measure;
}

/** The names that sentences give to tables. */
export class TableNames {
  readonly #names = new Map<TypedTable, ReadonlySet<string>>();

  /** From all sentences of a dossier, with the tables that each may speak of. */
  learn(sentences: readonly SaidNumber[], find: (said: SaidNumber) => readonly TypedTable[]): void {
    const outcomes = new Map<TypedTable, Map<string, { held: number; failed: number }>>();
    for (const said of sentences) {
      const tables = find(said);
      for (const table of tables.filter(({ isUnnamed }) => isUnnamed)) {
        const measure = findMeasure(said.text, table, tables);
        if (measure === null) continue;
        const byName = outcomes.get(table) ?? new Map<string, { held: number; failed: number }>();
        const tally = byName.get(measure.join(' ')) ?? { held: 0, failed: 0 };
        for (const { outcome } of readStatement(said, [call(table, measure)]).readings)
          tally[outcome === 'holds' ? 'held' : 'failed'] += 1;
        outcomes.set(table, byName.set(measure.join(' '), tally));
      }
    }
    for (const [table, byName] of outcomes) {
      const held = [...byName].filter(([, tally]) => tally.held > 0);
      // What fails again and again is said of something else.
      const alone = byName.size === 1 ? [...byName].filter(([, tally]) => tally.failed <= 1) : [];
      this.#names.set(table, new Set((held.length > 0 ? held : alone).map(([name]) => name)));
    }
  }

  /** Tables as a sentence may call them: one that nothing names by the word that it has for it. */
  callAll(text: string, tables: readonly TypedTable[]): TypedTable[] {
    return tables.map((table) => {
      const measure = table.isUnnamed ? findMeasure(text, table, tables) : null;
      if (measure === null) return table;
      const names = this.#names.get(table);
      return names === undefined || names.has(measure.join(' ')) ? call(table, measure) : table;
    });
  }
}

function call(table: TypedTable, measure: readonly string[]): TypedTable {
  return { ...table, known: new Set([...table.known, ...measure]), title: new Set([...table.title, ...measure]) };
}
