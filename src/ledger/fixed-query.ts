import type { Compilable, CompiledQuery, DialectAdapter, QueryResult } from 'kysely';
import type { Db } from './database.ts';

/** Stands for a value while a query is built. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built and compiled once for a database; from then on only its values are filled in. Building one
 * takes longer than SQLite takes to answer it. `build` must hand its values to the query as they are: it sees them
 * only by name.
 */
export function fixedQuery<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return (db, values) => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      const slots = Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)]));
      compiled.set(adapter, (query = build(db, slots as Values).compile()));
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Slot ? (values as Record<string, unknown>)[parameter.name] : parameter,
    );
    return db.executeQuery({ ...query, parameters });
  };
}
