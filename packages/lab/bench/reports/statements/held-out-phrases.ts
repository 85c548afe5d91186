import { countWord, type MadeKind, type Told } from './facts.ts';
import { cap } from './phrases.ts';

type Phrase = (told: Told) => string;

/** Another voice, kept back: it is only measured with, and no reader was written for it. */
export const keptBackPhrases: Record<MadeKind, readonly Phrase[]> = {
  level: [
    ({ m, e, p, n, unit }) => `For ${p} the books of ${e} show ${m} totalling ${n}${unit}.`,
    ({ m, e, p, n, unit }) => `${e} closed ${p} with ${n}${unit} in ${m}.`,
    ({ m, e, p, n, unit }) => `At ${n}${unit}, ${e}'s ${m} for ${p} are on record.`,
  ],
  change: [
    ({ m, e, p, q, n, up }) => `${e} ${up ? 'added' : 'shed'} ${n} of its ${m} between ${q} and ${p}.`,
    ({ m, e, p, q, n, up }) =>
      `A ${n} ${up ? 'gain' : 'drop'} in ${m} was registered at ${e} in ${p}, measured against ${q}.`,
  ],
  direction: [
    ({ m, e, p, q, up }) => `${e} ended ${p} with ${up ? 'more' : 'fewer'} ${m} than ${q}.`,
    ({ m, e, p, up }) => `The ${m} of ${e} ${up ? 'climbed' : 'slipped'} in ${p}.`,
  ],
  share: [
    ({ m, e, p, n }) => `${e}'s slice of overall ${m} stood at ${n} in ${p}.`,
    ({ m, e, p, n }) => `With ${n} of the ${m}, ${e} played its part in ${p}.`,
  ],
  ratio: [
    ({ m, e, f, p, n }) => `${e} outdid ${f} by a factor of ${n} in ${m} during ${p}.`,
    ({ m, e, f, p, n }) => `For ${p}, the ${m} at ${e} came to ${n} times the figure for ${f}.`,
  ],
  average: [
    ({ m, e, n, unit, span }) => `On average, ${e} notched up ${n}${unit} in ${m} each ${span}.`,
    ({ m, e, n, unit, span }) => `A mean of ${n}${unit} a ${span} is what ${e} managed in ${m}.`,
  ],
  sum: [
    ({ m, e, f, p, n, unit }) => `${e} and ${f} jointly booked ${n}${unit} of ${m} in ${p}.`,
    ({ m, e, f, p, n, unit }) => `Taken together, the ${m} of ${e} and of ${f} add up to ${n}${unit} for ${p}.`,
  ],
  difference: [
    ({ m, e, f, p, n, unit }) => `${e} was ${n}${unit} ahead of ${f} in ${m} in ${p}.`,
    ({ m, e, f, p, n, unit }) => `A gap of ${n}${unit} separated ${e} from ${f} in ${m} in ${p}.`,
  ],
  comparison: [
    ({ m, e, f, p, up }) => `${e} ${up ? 'outranked' : 'lagged behind'} ${f} for ${m} in ${p}.`,
    ({ m, e, f, p, up }) => `${p} saw ${up ? 'more' : 'fewer'} ${m} at ${e} than at ${f}.`,
  ],
  rank: [
    ({ m, e, p }) => `No other unit matched the ${m} of ${e} in ${p}.`,
    ({ m, e, p }) => `${e} led the field in ${p} as far as ${m} are concerned.`,
  ],
  second: [
    ({ m, e, p }) => `${e} came in second for ${m} in ${p}.`,
    ({ m, e, p }) => `Second place in ${m} went to ${e} in ${p}.`,
  ],
  peak: [
    ({ m, e, p }) => `The best ${m} that ${e} ever posted fell in ${p}.`,
    ({ m, e, p }) => `${e} reached its high in ${m} in ${p}.`,
  ],
  trend: [
    ({ m, e, up, span }) => `${cap(span)} after ${span}, ${e}'s ${m} ${up ? 'went up' : 'went down'}.`,
    ({ m, e, up }) => `There was no break in the ${up ? 'rise' : 'decline'} of ${m} at ${e}.`,
  ],
  count: [
    ({ m, p, q, noun, count }) => `${cap(countWord(count))} ${noun.many} improved on their ${q} ${m} in ${p}.`,
    ({ m, p, q, noun, count, of }) =>
      `Of ${countWord(of)} ${noun.many}, ${countWord(count)} had more ${m} in ${p} than in ${q}.`,
  ],
  threshold: [
    ({ m, e, p, n, unit }) => `${e} cleared the mark of ${n}${unit} for ${m} in ${p}.`,
    ({ m, e, p, n, unit }) => `More than ${n}${unit} of ${m} were counted at ${e} in ${p}.`,
  ],
  pace: [
    ({ m, e, f, p }) => `${e} outpaced ${f} in ${m} growth in ${p}.`,
    ({ m, e, f, p }) => `The increase in ${m} in ${p} was steeper at ${e} than at ${f}.`,
  ],
  missing: [
    ({ m, e, p, n, unit }) => `${e} closed ${p} with ${n}${unit} in ${m}.`,
    ({ m, e, p, n, unit }) => `For ${p} the books of ${e} show ${m} totalling ${n}${unit}.`,
  ],
};
