import { expect, it } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import { explainUnshown } from '../index.ts';

const dossier = {
  documents: [
    documentOf('report.md', [
      'Revenue by region (USD million)',
      [
        ['Region', '2023 as previously reported', '2023 as restated', '2024'],
        ['Europe', '410', '400', '460'],
        ['Asia', '150', '140', '190'],
        ['Total', '560', '540', '650'],
      ],
    ]),
  ],
};

it.each([
  ['The operating margin was 14.9 % in 2024.', 'No table or other sentence gives “operating margin” for 2024.'],
  [
    'Revenue in Europe was $380 million in 2021.',
    'The table “Revenue by region (USD million)” gives “Europe”, but not for 2021.',
  ],
  [
    'Licensing revenue in Europe was $38 million in 2024.',
    'The table “Revenue by region (USD million)” gives “Europe”, but nothing of “Licensing”.',
  ],
  [
    'Revenue in Europe was $405 million in 2023.',
    'The table “Revenue by region (USD million)” gives “Europe” as restated and as first reported, and which of them is meant is not said.',
  ],
  [
    'Net debt fell by 25 % to $3 million in 2024, from $4 million in 2023.',
    'Its own figures agree (($3 million − $4 million) / $4 million = −25 %, stated 25 %), but no table or other sentence gives “Net debt” for 2024 and 2023.',
  ],
  ['The harbour authority praised our service.', 'Nothing else bears it out.'],
])('What is not shown says what was missing: %s', (text, missing) => {
  const claim = { id: 'claim-01', text, kind: 'assertion' as const, domain: '', importance: 1, origin: null };
  expect(explainUnshown(claim, dossier)).toBe(missing);
});
