import { expect, test } from 'vitest';
import { type SearchedClause, findClauses } from './clause-search.tsx';

const clause = (id: string, title: string, text: string): SearchedClause => ({
  id,
  category: id.split('.')[0]!,
  title,
  text,
  severity: 'high',
  action: 'remove',
});
const clauses = [
  clause('fraud.scams', 'Fraud', 'tricking people out of money'),
  clause('weapons.make', 'Weapons', 'building weapons'),
  clause('hate.slurs', 'Hate', 'scorn that makes people small'),
];
const found = (typed: string) => findClauses(clauses, typed).map(({ id }) => id);

test('every word that is typed must be in a clause: in its id, its title or its text', () => {
  expect(found('')).toEqual(['fraud.scams', 'weapons.make', 'hate.slurs']);
  expect(found('money fraud')).toEqual(['fraud.scams']);
  expect(found('PEOPLE')).toEqual(['fraud.scams', 'hate.slurs']);
  expect(found('money weapons')).toEqual([]);
});

test('what is named so comes before what only speaks of it', () => {
  expect(found('make')).toEqual(['weapons.make', 'hate.slurs']);
});
