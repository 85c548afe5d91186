import { has, textIn } from './cells.ts';
import type { DataFormat } from './format.ts';

export const summedits: DataFormat = {
  name: 'summedits',
  jobs: ['documents'],
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
