import type { CascadeFit } from './fit-cascade.ts';

/** A share as people say it: `5 %`, `0.5 %`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(share < 0.1 ? 2 : 1))} %`;
}

/** Why there is no band, in a sentence or two. */
export function whyNoBand(fit: CascadeFit, { risk, confidence }: { risk: number; confidence: number }): string {
  if (fit.band) return '';
  if (fit.items === 0) return 'there is not one labelled item in it.';
  const goal = `${percent(risk)} with ${percent(confidence)} confidence`;
  if (fit.reason === 'too-few')
    return (
      `${fit.items} labelled items are too few to show ${goal} even for a guard without a mistake; about ${fit.needed} ` +
      'would do.'
    );
  // Neither side alone may hold as many items as it takes.
  if (!fit.closest) return `on neither side are there items enough to show ${goal}.`;
  const { wrong, decided, bound } = fit.closest;
  const best =
    `the best band has ${wrong} of ${decided} wrong, which shows no less than ${percent(bound)} where ${goal} ` +
    'is asked for';
  return fit.needed === null
    ? `${best}. The guard is wrong too often: more data would not help.`
    : `${best}. With about ${fit.needed} items like these it could be shown.`;
}
