import type { QueueItem } from '../../api/types.ts';

export type Clause = QueueItem['policy']['clauses'][number];

/** The clauses that hold every word that was typed; where its id begins like that, first. */
export function findClauses(clauses: readonly Clause[], typed: string): Clause[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const holding = clauses.filter(({ id, title, text }) => {
    const all = `${id} ${title} ${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = ({ id }: Clause) => words.length > 0 && id.split('.').some((part) => part.startsWith(words[0]!));
  return [...holding.filter(begins), ...holding.filter((clause) => !begins(clause))];
}
