import { expect, test } from 'vitest';
import { findClauseAt, findClauseLines } from './find-clauses.ts';

const yaml = `name: House
categories:
  - id: threats
    clauses:
      - id: threats.direct
        text: threats
      - text: "of others"
        id: "threats.veiled" # by hints
`;

test('clauses are found by the line of their id, and what follows belongs to them', () => {
  const clauses = findClauseLines(yaml);
  expect(clauses).toEqual([
    { id: 'threats.direct', line: 5 },
    { id: 'threats.veiled', line: 8 },
  ]);
  expect([2, 5, 6, 9].map((line) => findClauseAt(clauses, line))).toEqual([
    null,
    'threats.direct',
    'threats.direct',
    'threats.veiled',
  ]);
});
