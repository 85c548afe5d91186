import { countWord, type MadeKind, type Told } from './facts.ts';
import { cap } from './phrases.ts';

type Phrase = (told: Told) => string;

/** How others say it in reports: the readers were developed on these, too. */
export const morePhrases: Record<MadeKind, readonly Phrase[]> = {
  level: [
    ({ m, e, p, n, unit }) => `${e} reported ${m} of ${n}${unit} for ${p}.`,
    ({ m, e, p, n, unit }) => `${cap(m)} at ${e} stood at ${n}${unit} in ${p}.`,
    ({ m, e, p, n, unit }) => `In ${p}, ${e}'s ${m} came in at ${n}${unit}.`,
  ],
  change: [
    ({ m, e, p, n, up }) => `${e} ${up ? 'increased' : 'reduced'} its ${m} by ${n} in ${p}.`,
    ({ m, e, p, q, n, up }) => `${e}'s ${m} were ${n} ${up ? 'higher' : 'lower'} in ${p} than in ${q}.`,
    ({ m, e, p, q, n, up }) => `${e} recorded a ${n} ${up ? 'increase' : 'decrease'} in ${m} in ${p} over ${q}.`,
    ({ m, e, p, n, up }) => `At ${e}, ${m} went ${up ? 'up' : 'down'} by ${n} in ${p}.`,
  ],
  direction: [
    ({ m, e, p, up }) => `${cap(m)} in ${e} went ${up ? 'up' : 'down'} in ${p}.`,
    ({ m, e, p, q, up }) => `${e} had ${up ? 'higher' : 'lower'} ${m} in ${p} than in ${q}.`,
    ({ m, e, p, q, up }) => `Compared with ${q}, ${e} reported ${up ? 'rising' : 'falling'} ${m} in ${p}.`,
  ],
  share: [
    ({ m, e, p, n }) => `${e} contributed ${n} of ${m} in ${p}.`,
    ({ m, e, p, n }) => `The share of ${e} in total ${m} was ${n} in ${p}.`,
    ({ m, e, p, n }) => `${e} represented ${n} of overall ${m} in ${p}.`,
    ({ m, e, p, n }) => `In ${p}, ${n} of the ${m} were attributable to ${e}.`,
  ],
  ratio: [
    ({ m, e, f, p, n }) => `${e} had ${n} times as many ${m} as ${f} in ${p}.`,
    ({ m, e, f, p, n }) => `In ${p}, ${e} achieved ${n} times the ${m} of ${f}.`,
    ({ m, e, f, p, n }) => `${cap(m)} at ${e} were ${n} times higher than at ${f} in ${p}.`,
  ],
  average: [
    ({ m, e, n, unit, span }) => `On average, ${e} had ${m} of ${n}${unit} per ${span}.`,
    ({ m, e, n, unit, span, count }) => `The mean ${m} of ${e} over the ${countWord(count)} ${span}s were ${n}${unit}.`,
  ],
  sum: [
    ({ m, e, f, p, n, unit }) => `${cap(m)} in ${e} and ${f} totalled ${n}${unit} in ${p}.`,
    ({ m, e, f, p, n, unit }) => `Taken together, ${m} of ${e} and ${f} were ${n}${unit} in ${p}.`,
    ({ m, e, f, p, n, unit }) => `In ${p}, ${e} and ${f} jointly reported ${m} of ${n}${unit}.`,
    ({ m, e, f, p, n, unit }) => `${e} and ${f} had ${m} of ${n}${unit} between them in ${p}.`,
  ],
  difference: [
    ({ m, e, f, p, n, unit }) => `${cap(m)} at ${e} were ${n}${unit} higher than at ${f} in ${p}.`,
    ({ m, e, f, p, n, unit }) => `In ${p}, ${m} in ${f} were ${n}${unit} below those of ${e}.`,
    ({ m, e, f, p, n, unit }) => `${e} was ${n}${unit} ahead of ${f} in ${m} in ${p}.`,
  ],
  comparison: [
    ({ m, e, f, p, up }) => `${cap(m)} in ${e} were ${up ? 'above' : 'below'} those in ${f} in ${p}.`,
    ({ m, e, f, p, up }) => `In ${p}, ${e} was ${up ? 'ahead of' : 'behind'} ${f} in ${m}.`,
    ({ m, e, f, p, up }) => `${e} reported ${up ? 'more' : 'less'} ${m} than ${f} in ${p}.`,
  ],
  rank: [
    ({ m, e, p, noun }) => `No other ${noun.one} had higher ${m} than ${e} in ${p}.`,
    ({ m, e, p, noun }) => `${e} led all ${noun.many} in ${m} in ${p}.`,
    ({ m, e, p }) => `The largest ${m} in ${p} were those of ${e}.`,
    ({ m, e, p }) => `${e} came first in ${m} in ${p}.`,
    ({ m, e, p }) => `${e} took first place in ${m} in ${p}.`,
    ({ m, e, p, noun }) => `With regard to ${m}, ${e} was the leading ${noun.one} in ${p}.`,
    ({ m, e, p, noun }) => `In ${p}, ${m} were higher in ${e} than in any other ${noun.one}.`,
  ],
  second: [
    ({ m, e, p }) => `${e} came second in ${m} in ${p}.`,
    ({ m, e, p }) => `Second place in ${m} went to ${e} in ${p}.`,
    ({ m, e, p, noun }) => `${e} was the second-largest ${noun.one} by ${m} in ${p}.`,
  ],
  peak: [
    ({ m, e, p }) => `${e} had its highest ${m} in ${p}.`,
    ({ m, e, p }) => `${cap(m)} in ${e} reached their highest level in ${p}.`,
    ({ m, e, p, span }) => `${p} was the best ${span} for ${m} in ${e}.`,
    ({ m, e, p }) => `The peak of ${m} in ${e} came in ${p}.`,
  ],
  trend: [
    ({ m, e, up, span }) => `${cap(m)} in ${e} ${up ? 'increased' : 'decreased'} ${span} after ${span}.`,
    ({ m, e, up, span }) => `${e} saw its ${m} ${up ? 'rise' : 'fall'} every ${span}.`,
    ({ m, e, up }) => `${cap(m)} in ${e} ${up ? 'rose' : 'fell'} continuously.`,
  ],
  count: [
    ({ m, p, q, noun, count }) => `${cap(countWord(count))} ${noun.many} had higher ${m} in ${p} than in ${q}.`,
    ({ m, p, q, noun, count, of }) =>
      `In ${p}, ${countWord(count)} out of ${countWord(of)} ${noun.many} saw their ${m} rise compared with ${q}.`,
    ({ m, p, q, noun, count, of }) =>
      `${cap(m)} grew in ${countWord(count)} of ${countWord(of)} ${noun.many} between ${q} and ${p}.`,
    ({ m, p, q, noun, count }) => `${cap(m)} increased at ${countWord(count)} ${noun.many} in ${p} over ${q}.`,
  ],
  threshold: [
    ({ m, e, p, n, unit }) => `${cap(m)} of ${e} were over ${n}${unit} in ${p}.`,
    ({ m, e, p, n, unit }) => `${e} had ${m} of more than ${n}${unit} in ${p}.`,
    ({ m, e, p, n, unit }) => `In ${p}, ${m} in ${e} came to at least ${n}${unit}.`,
    ({ m, e, p, n, unit }) => `${cap(m)} in ${e} passed the mark of ${n}${unit} in ${p}.`,
  ],
  pace: [
    ({ m, e, f, p }) => `${cap(m)} grew more strongly in ${e} than in ${f} in ${p}.`,
    ({ m, e, f, p, q }) => `Between ${q} and ${p}, ${m} increased faster in ${e} than in ${f}.`,
    ({ m, e, f, p }) => `Growth in ${m} was faster in ${e} than in ${f} in ${p}.`,
  ],
  missing: [
    ({ m, e, p, n, unit }) => `${e} reported ${m} of ${n}${unit} for ${p}.`,
    ({ m, e, p, n, unit }) => `${cap(m)} at ${e} stood at ${n}${unit} in ${p}.`,
  ],
};
