import { z } from 'zod';
import { evaluationMethods } from './plan.ts';
import { mostShots } from './roles/judges.ts';

const share = z.number().min(0).max(1);

const shot = z.strictObject({
  prompt: z.string().min(1),
  response: z.string().min(1),
  label: z.enum(['safe', 'unsafe']),
  why: z.string().optional(),
});

/** The block `evaluation` of the settings. */
export const evaluationSettings = z.strictObject({
  preset: z.enum(['paper']).optional(),
  method: z.enum(evaluationMethods).optional(),
  /** Decided exchanges that the method `judge` shows its judge after the policy. */
  shots: z.array(shot).max(mostShots).optional(),
  /** T of the paper. */
  rounds: z.int().min(1).max(10).optional(),
  /** N of the paper: seats of the auditor and of the detector each. */
  agents: z.int().min(1).max(3).optional(),
  consensus: z.boolean().optional(),
  /** λ of equation 6. */
  stubbornness: z.strictObject({ auditor: share.optional(), detector: share.optional() }).optional(),
  /** In nats: the divergence of two distributions is ln 2 at most. */
  consensusBound: z.number().min(0).max(1).optional(),
  /** ε of equation 5. */
  smoothing: z.number().gt(0).max(0.1).optional(),
  /** δ of equation 2. */
  delta: z.number().gt(0).optional(),
  /** γ of equation 3. */
  gamma: z.number().gt(0).max(1).optional(),
  /** A file that holds P̂, fitted on labelled data; false for what the critic states. */
  reference: z.union([z.literal(false), z.string().min(1)]).optional(),
  maxCharacters: z.int().min(1).optional(),
});

export type EvaluationSettings = z.output<typeof evaluationSettings>;
