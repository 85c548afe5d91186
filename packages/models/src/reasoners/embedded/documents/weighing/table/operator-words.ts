import { stemAll, stemWithIrregulars } from '@agonhq/engine/text';

/* The words that ask something of a whole column, as the stems they leave. */

export type Direction = 'up' | 'down';

function directionWords(up: string, down: string): ReadonlyMap<string, Direction> {
  return new Map([
    ...Array.from(stemAll(up), (stem) => [stem, 'up'] as const),
    ...Array.from(stemAll(down), (stem) => [stem, 'down'] as const),
  ]);
}

export const superlatives = directionWords(
  `
  most highest largest biggest greatest longest latest last maximum max oldest tallest heaviest newest final top
  farthest fastest richest deepest widest`,
  `
  least lowest smallest fewest shortest earliest first minimum min youngest lightest slowest nearest closest poorest`,
);

/** Superlatives of time: they ask for a date where the others ask for an amount. */
export const temporal = stemAll('latest last final newest earliest first later earlier before after prior');

export const comparatives = directionWords(
  'more higher greater larger bigger longer later after older taller heavier over above exceed better',
  'less lower fewer smaller shorter earlier before prior younger under below lighter worse',
);

export const ordinals = new Map<string, number>([
  ['second', 2],
  ['third', 3],
  ['fourth', 4],
  ['fifth', 5],
]);

export const negations = stemAll(`
  not no never neither nor none without nobody nothing n't cannot fail zero didn't don't doesn't isn't wasn't aren't
  weren't couldn't haven't hasn't`);

/** "there are 3", "3 times", "wins 3": a number beside them counts rows. */
export const counting = {
  there: stemWithIrregulars('there'),
  times: stemWithIrregulars('times'),
  verbs: stemAll('total win play lose'),
};

export const universal = stemAll('all every each always entire');
export const averages = stemAll('average mean');
export const sums = stemAll('total sum combined');
