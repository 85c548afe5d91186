import { has } from './cells.ts';
import type { DataFormat, Row } from './format.ts';

/** Our own lines, and what is read when nothing else fits. */
export const agon: DataFormat = {
  name: 'agon',
  jobs: ['moderation', 'evaluation', 'documents'],
  description: 'Our own: id, label and what is judged; category, raters and trivial where they are known.',
  source: 'written by you, or by an export of Agon',
  columns:
    'id, label, category, raters, trivial; text, image, image_description | prompt, response (or messages), ' +
    'model, risk, behaviour | claim, doc or doc_text, evidence_ids',
  recognises: (row) =>
    has(row, 'label') &&
    (isContent(row) || has(row, 'prompt', 'response') || has(row, 'messages') || has(row, 'claim')),
  read: (row) => [row],
};

/** Any table or list of objects, its columns named by --map. */
export const generic: DataFormat = {
  ...agon,
  name: 'generic',
  description:
    'Any JSONL, CSV, TSV or JSON list: --map names the columns (text=comment,label=is_toxic), --map-label the labels.',
  source: 'anywhere',
  columns: 'as --map says; a column with one of our own names needs none',
  recognises: () => false,
};

function isContent(row: Row): boolean {
  return has(row, 'text') || has(row, 'image') || has(row, 'image_description');
}
