/* A report whose margin is stated otherwise than its table has it, and what it was a year later. */

export const report = `# Halden Foods annual report 2024

## Results

Revenue grew 15 % to $4.6 million in 2024. The gross margin improved to 45 % in 2024. We expect strong demand for service contracts in 2025.

| in thousands of dollars | 2024 | 2023 |
|---|---|---|
| Revenue | 4600 | 4000 |
| Cost of sales | 2714 | 2240 |
| Gross profit | 1886 | 1760 |

Customers are happy with our products and say so. The new plant in Ghent opened in May and lowered unit costs.
`;

/** With another word in a sentence that no claim is about. */
export const secondEdition = report.replace('happy with our products', 'pleased with our products');

/** A year on: other years, another margin. */
export const nextYear = report
  .replaceAll('2025', '2026')
  .replaceAll('2024', '2025')
  .replaceAll('2023', '2024')
  .replace('45 %', '44 %');

/** Of another firm, with rows of the same names. */
export const otherFirm = `# Brent Tools

The gross margin was 35 % in 2024.

| in thousands of dollars | 2024 | 2023 |
|---|---|---|
| Revenue | 1000 | 900 |
| Gross profit | 300 | 250 |
`;

/** That has nothing to do with any of it. */
export const minutes = `# Minutes of the garden club

The club has 40 members in 2024, more than the 35 of the year before.
`;

export const margin = 'The gross margin improved to 45 % in 2024.';
export const demand = 'We expect strong demand for service contracts in 2025.';
export const ana = { why: 'The margin is stated before freight.', by: 'Ana Silva' };
