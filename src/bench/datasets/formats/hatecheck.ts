import { has, textIn } from './cells.ts';
import type { DataFormat } from './format.ts';

export const hatecheck: DataFormat = {
  name: 'hatecheck',
  jobs: ['moderation'],
  description: 'HateCheck: functional tests of hate speech detection, hateful or non-hateful.',
  source: 'test_suite_cases.csv of the HateCheck repository',
  columns: 'functionality, case_id, test_case, label_gold, target_ident, …',
  recognises: (row) => has(row, 'test_case', 'label_gold'),
  read: (row) => [
    {
      id: row['case_id'],
      text: row['test_case'],
      label: meanings[String(row['label_gold']).trim().toLowerCase()] ?? row['label_gold'],
      category: textIn(row, 'functionality'),
    },
  ],
};

const meanings: Readonly<Record<string, string>> = { hateful: 'unsafe', 'non-hateful': 'safe' };
