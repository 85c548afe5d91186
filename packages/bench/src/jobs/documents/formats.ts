import {
  isObject,
  textIn,
  has,
  listIn,
  type DataFormat,
  type ItemFields,
  type DatasetRow,
} from '../../datasets/format.ts';

/** `{ "table.csv": [[statements], [labels], caption], … }`; the tables lie beside it, their cells divided by #. */
const tabfact: DataFormat = {
  name: 'tabfact',
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
      ? tables.map(([table, statements]): DatasetRow => ({ table, statements }))
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

const summedits: DataFormat = {
  name: 'summedits',
  description: 'SummEdits: summaries of a text, consistent with it (1) or edited so that they are not (0).',
  source: 'data/summedits/summedits_*.json of the factualNLG repository, or its copy in one file',
  columns: 'id, domain, doc, summary, label',
  recognises: (row) => has(row, 'doc', 'summary', 'label'),
  read: (row) => [
    {
      id: row['id'],
      claim: row['summary'],
      label: row['label'],
      doc_text: row['doc'],
      category: textIn(row, 'domain'),
    },
  ],
};

const findver: DataFormat = {
  name: 'findver',
  description:
    'FinDVer: claims about financial reports, entailed or refuted, with the parts that decide. Give the ' +
    'repository as --root.',
  source: 'data/testmini.json of the FinDVer repository; reports in its financial_reports folder',
  columns: 'example_id, statement, report, relevant_context, entailment_label, subset',
  recognises: (row) => has(row, 'statement', 'report', 'entailment_label'),
  read(row) {
    const report = textIn(row, 'report');
    return [
      {
        id: row['example_id'],
        claim: row['statement'],
        label: row['entailment_label'],
        doc: report === undefined ? undefined : places(report),
        evidence_ids: listIn(row, 'relevant_context')?.map(Number),
        category: textIn(row, 'subset'),
      },
    ];
  },
};

/** Reports are named with their ending or without, and may be packed. */
function places(report: string): string[] {
  const names = /\.(json|gz)$/i.test(report)
    ? [report, `${report}.gz`]
    : [`${report}.json`, `${report}.json.gz`, report];
  return ['financial_reports/', 'reports/', ''].flatMap((folder) => names.map((name) => `${folder}${name}`));
}

const contractNli: DataFormat = {
  name: 'contract-nli',
  description:
    'ContractNLI: seventeen hypotheses about each contract: entailment, contradiction or not mentioned. The ' +
    'contracts come with the file.',
  source: 'train.json, dev.json or test.json of ContractNLI',
  columns:
    '{documents: [{id, file_name, text, annotation_sets: [{annotations: {nda-1: {choice, spans}}}]}], labels: ' +
    '{nda-1: {short_description, hypothesis}}}',
  recognises: (row) =>
    typeof row['text'] === 'string' && Array.isArray(row['annotation_sets']) && isObject(row['labels']),
  read: (row) => hypothesesOf(row),
  rows({ documents, labels }) {
    return Array.isArray(documents) && documents.every(isObject) && isObject(labels)
      ? documents.map((document) => ({ ...document, labels }))
      : null;
  },
};

function hypothesesOf(row: DatasetRow): ItemFields[] {
  const [first] = row['annotation_sets'] as readonly unknown[];
  const annotations = isObject(first) && isObject(first['annotations']) ? first['annotations'] : {};
  return Object.entries(annotations).map(([key, annotation]) => {
    const about = (row['labels'] as DatasetRow)[key];
    return {
      id: `${textIn(row, 'id', 'file_name') ?? ''}-${key}`,
      claim: isObject(about) ? about['hypothesis'] : undefined,
      label: isObject(annotation) ? annotation['choice'] : undefined,
      doc_text: row['text'],
      category: isObject(about) ? (textIn(about, 'short_description') ?? key) : key,
    };
  });
}

/** Published sets of claims. */
export const documentsFormats: readonly DataFormat[] = [contractNli, findver, summedits, tabfact];
