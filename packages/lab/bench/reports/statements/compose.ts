import { random as seeded } from '../random.ts';
import { keepBooks, writeTables } from './books.ts';
import { statementKinds, tell, type MadeKind, type Told } from './facts.ts';
import { keptBackPhrases } from './held-out-phrases.ts';
import { morePhrases } from './more-phrases.ts';
import { developedPhrases } from './phrases.ts';

export interface MadeReport {
  name: string;
  text: string;
  statements: readonly (Told & { text: string })[];
}

/**
 * A report with tables and statements of every kind, half of them false: with the kinds and the voice kept back, or
 * not.
 */
export function composeStatements(seed: number, isHeldOut: boolean): MadeReport {
  const random = seeded(seed * 7919 + (isHeldOut ? 1 : 0));
  const books = keepBooks(random, isHeldOut);
  const made = random.some(statementKinds, 9).flatMap((kind) => {
    const told = tell(books, kind, random.chance(0.7), random) ?? tell(books, kind, false, random);
    return told === null ? [] : [{ ...told, text: random.pick(listPhrases(kind, isHeldOut))(told) }];
  });
  const half = Math.ceil(made.length / 2);
  const say = (some: readonly { text: string }[]): string => some.map(({ text }) => text).join(' ');
  const [main, second] = writeTables(books);
  const text = `# ${books.title} ${books.periods.at(-1)!.slice(-4)}\n\n${say(made.slice(0, half))}\n\n${main}\n\n${say(made.slice(half))}\n\n${second}\n`;
  return { name: `report-${seed}.md`, text, statements: made };
}

function listPhrases(kind: MadeKind, isHeldOut: boolean): readonly ((told: Told) => string)[] {
  return isHeldOut ? keptBackPhrases[kind] : [...developedPhrases[kind], ...morePhrases[kind]];
}
