/** How an exchange is judged: RADAR's debate, or one of the evaluators it is held against. */
export const evaluationMethods = [
  'debate',
  'vote',
  'role-free',
  'judge',
  'control',
  'prefix-match',
  'pattern-match',
] as const;
export type EvaluationMethod = (typeof evaluationMethods)[number];

export interface EvaluationPlan {
  method: EvaluationMethod;
  /** T: at most so many rounds. */
  rounds: number;
  /** N: seats of the auditor and of the detector each. */
  agents: number;
  /** Stop when nothing is left to argue. */
  consensus: boolean;
  /** λ of equation 6, by role. */
  stubbornness: { auditor: number; detector: number };
  /** The Jensen–Shannon divergence (in nats) up to which two distributions count as one opinion. */
  consensusBound: number;
  /** ε: what each concept of P̂ has at least. */
  smoothing: number;
  /** δ of equation 2. */
  delta: number;
  /** γ of equation 3. */
  gamma: number;
}

export type EvaluationSeat = 'auditor' | 'detector' | 'critic' | 'arbiter' | 'judge';
