import { isObject, textIn } from './cells.ts';
import type { DataFormat, ItemFields, Row } from './format.ts';

export const contractNli: DataFormat = {
  name: 'contract-nli',
  jobs: ['documents'],
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

function hypothesesOf(row: Row): ItemFields[] {
  const [first] = row['annotation_sets'] as readonly unknown[];
  const annotations = isObject(first) && isObject(first['annotations']) ? first['annotations'] : {};
  return Object.entries(annotations).map(([key, annotation]) => {
    const about = (row['labels'] as Row)[key];
    return {
      id: `${textIn(row, 'id', 'file_name') ?? ''}-${key}`,
      claim: isObject(about) ? about['hypothesis'] : undefined,
      label: isObject(annotation) ? annotation['choice'] : undefined,
      doc_text: row['text'],
      category: isObject(about) ? (textIn(about, 'short_description') ?? key) : key,
    };
  });
}
