import { countWord, type MadeKind, type Told } from './facts.ts';

type Phrase = (told: Told) => string;

/** How the readers' developer would say it. */
export const developedPhrases: Record<MadeKind, readonly Phrase[]> = {
  level: [
    ({ m, e, p, n, unit }) => `In ${p}, ${e} recorded ${m} of ${n}${unit}.`,
    ({ m, e, p, n, unit }) => `${cap(m)} in ${e} amounted to ${n}${unit} in ${p}.`,
  ],
  change: [
    ({ m, e, p, q, n, up }) => `${cap(m)} in ${e} ${up ? 'rose' : 'fell'} by ${n} from ${q} to ${p}.`,
    ({ m, e, p, q, n, up }) => `Compared with ${q}, ${m} in ${e} ${up ? 'increased' : 'decreased'} ${n} in ${p}.`,
  ],
  direction: [
    ({ m, e, p, q, up }) => `${cap(m)} in ${e} ${up ? 'increased' : 'declined'} between ${q} and ${p}.`,
    ({ m, e, p, q, up }) => `${e} saw its ${m} ${up ? 'rise' : 'fall'} in ${p} compared with ${q}.`,
  ],
  share: [
    ({ m, e, p, n }) => `${e} accounted for ${n} of total ${m} in ${p}.`,
    ({ m, e, p, n }) => `In ${p}, ${n} of all ${m} came from ${e}.`,
  ],
  ratio: [
    ({ m, e, f, p, n }) => `In ${p}, ${m} in ${e} were ${n} times those of ${f}.`,
    ({ m, e, f, p, n }) => `${cap(m)} of ${e} were ${n} times as high as those of ${f} in ${p}.`,
  ],
  average: [
    ({ m, e, n, unit, span, count }) =>
      `Over the ${countWord(count)} ${span}s, ${m} in ${e} averaged ${n}${unit} per ${span}.`,
    ({ m, e, n, unit, span }) => `The average ${span}ly ${m} of ${e} came to ${n}${unit}.`,
  ],
  sum: [
    ({ m, e, f, p, n, unit }) => `Together, ${e} and ${f} had ${m} of ${n}${unit} in ${p}.`,
    ({ m, e, f, p, n, unit }) => `In ${p}, the combined ${m} of ${e} and ${f} reached ${n}${unit}.`,
  ],
  difference: [
    ({ m, e, f, p, n, unit }) => `In ${p}, ${m} in ${e} exceeded those in ${f} by ${n}${unit}.`,
    ({ m, e, f, p, n, unit }) => `The difference in ${m} between ${e} and ${f} was ${n}${unit} in ${p}.`,
  ],
  comparison: [
    ({ m, e, f, p, up }) => `In ${p}, ${e} had ${up ? 'higher' : 'lower'} ${m} than ${f}.`,
    ({ m, e, f, p, up }) => `${cap(m)} were ${up ? 'larger' : 'smaller'} in ${e} than in ${f} in ${p}.`,
  ],
  rank: [
    ({ m, e, p, noun }) => `${e} had the highest ${m} of all ${noun.many} in ${p}.`,
    ({ m, e, p, noun }) => `In ${p}, ${e} was the ${noun.one} with the largest ${m}.`,
  ],
  second: [
    ({ m, e, p }) => `${e} ranked second in ${m} in ${p}.`,
    ({ m, e, p }) => `The second-highest ${m} in ${p} were recorded by ${e}.`,
  ],
  peak: [
    ({ m, e, p }) => `${cap(m)} in ${e} peaked in ${p}.`,
    ({ m, e, p }) => `${cap(m)} of ${e} were highest in ${p}.`,
  ],
  trend: [
    ({ m, e, up, span }) => `${cap(m)} in ${e} ${up ? 'rose' : 'fell'} in every ${span}.`,
    ({ m, e, up }) => `${cap(m)} in ${e} ${up ? 'grew' : 'declined'} without interruption.`,
  ],
  count: [
    ({ m, p, q, noun, count, of }) =>
      `${cap(countWord(count))} of the ${countWord(of)} ${noun.many} increased their ${m} from ${q} to ${p}.`,
    ({ m, p, q, noun, count }) => `Between ${q} and ${p}, ${m} rose in ${countWord(count)} ${noun.many}.`,
  ],
  threshold: [
    ({ m, e, p, n, unit }) => `${cap(m)} in ${e} exceeded ${n}${unit} in ${p}.`,
    ({ m, e, p, n, unit }) => `In ${p}, ${m} in ${e} were above ${n}${unit}.`,
  ],
  pace: [
    ({ m, e, f, p, q }) => `From ${q} to ${p}, ${m} in ${e} grew faster than in ${f}.`,
    ({ m, e, f, p }) => `In ${p}, ${m} of ${e} grew faster than those of ${f}.`,
  ],
  missing: [
    ({ m, e, p, n, unit }) => `In ${p}, ${e} recorded ${m} of ${n}${unit}.`,
    ({ m, e, p, n, unit }) => `${cap(m)} in ${e} came to ${n}${unit} in ${p}.`,
  ],
};

export const cap = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
