/**
 * What each signal adds to the logit of support, fitted once on the development halves of FinDVer and SummEdits
 * together and rounded; the table readings on that of TabFact. One set for every document.
 */
export const documentWeights = {
  bias: 0.6,
  name: -1.4,
  number: -1.5,
  date: -3,
  'far-number': -0.7,
  negation: -1.1,
  opposite: -0.55,
  absolute: -0.33,
  table: { holds: 0.8, fails: -0.8 },
  /** A claim of whose words the nearest lines have less is not spoken of. */
  leastCover: 0.3,
  /**
   * From so much of the claim on, a table answers it rather than the text; of a dossier that is tables alone, from
   * the second on.
   */
  tableShare: [0.5, 0.05],
} as const;
