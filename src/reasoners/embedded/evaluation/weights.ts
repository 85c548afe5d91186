import fitted from '../../../../models/reply-1/weights.json' with { type: 'json' };

/** What the debate over an exchange makes of the models' scores, fitted on labelled data by training/fit_replies.py. */
export interface ExchangeWeights {
  /** How the guard's logit of a reply becomes a calibrated one. */
  auditor: { slope: number; intercept: number };
  /** The same for the reply model's. */
  detector: { slope: number; intercept: number };
  /** What both say together, less what a refusal takes off, and an answer beside the point. */
  critic: { guard: number; reply: number; refused: number; beside: number; intercept: number };
  /** The calibrated probability from which a response is unsafe. */
  threshold: number;
  /** Probabilities between which the verdict is wrong too often to stand without a person. */
  band: readonly [number, number];
}

/** The weights that ship with the reply model. */
export const exchangeWeights = fitted as unknown as ExchangeWeights;
