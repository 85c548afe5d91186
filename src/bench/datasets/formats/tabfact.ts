import type { DataFormat, Row } from './format.ts';

/** `{ "table.csv": [[statements], [labels], caption], … }`; the tables lie beside it, their cells divided by #. */
export const tabfact: DataFormat = {
  name: 'tabfact',
  jobs: ['documents'],
  description:
    'TabFact: statements about tables, entailed (1) or refuted (0). Give the folder that holds the tables ' +
    '(data/all_csv) or the repository as --root.',
  source:
    'tokenized_data/test_examples.json or collected_data/*.json of the Table-Fact-Checking repository; tables in ' +
    'its data/all_csv folder',
  columns: '{table: [[statement, …], [label, …], caption]}',
  recognises: (row) => typeof row['table'] === 'string' && isStatements(row['statements']),
  read({ table, statements }) {
    const [claims, labels, caption] = statements as [unknown[], unknown[], unknown?];
    const doc = ['data/all_csv/', 'all_csv/', ''].map((folder) => `${folder}${String(table)}`);
    return claims.map((claim, index) => ({
      id: `${String(table)}-${index}`,
      claim,
      label: labels[index],
      doc,
      caption,
    }));
  },
  rows(document) {
    const tables = Object.entries(document);
    return tables.length > 0 && tables.every(([, statements]) => isStatements(statements))
      ? tables.map(([table, statements]): Row => ({ table, statements }))
      : null;
  },
};

function isStatements(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    Array.isArray(value[0]) &&
    Array.isArray(value[1]) &&
    value[0].every((claim) => typeof claim === 'string')
  );
}
