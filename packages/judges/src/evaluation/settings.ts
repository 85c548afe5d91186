import { z } from 'zod';
import { setting } from '@agonhq/engine/setting';
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
  preset: setting(z.enum(['paper']), {
    help: 'models of the paper, all rounds',
    flag: '--preset <name>',
    flagHelp: 'paper: models of the paper, all rounds',
  }),
  method: setting(z.enum(evaluationMethods), {
    help: 'how to judge: by debate, or by a baseline',
    default: 'debate',
    flag: '--method <name>',
    commands: ['judge', 'run'],
  }),
  shots: setting(z.array(shot).max(mostShots), {
    help: 'decided exchanges that the method `judge` shows its judge after the policy',
    values: `up to ${mostShots} \`{ prompt, response, label, why? }\``,
    default: 'none',
    variable: null,
  }),
  rounds: setting(z.int().min(1).max(10), {
    help: 'rounds of debate (T of the paper)',
    default: '3',
    flag: '--rounds <n>',
    flagHelp: 'rounds of debate, 1 to 10',
    commands: ['judge', 'run'],
  }),
  agents: setting(z.int().min(1).max(3), {
    help: 'seats of the auditor and of the detector each (N of the paper)',
    default: 'as many as models are named for a role, else 1',
    flag: '--agents <n>',
    flagHelp: 'auditors and detectors, 1 to 3 of each (default: one per model)',
    commands: ['judge', 'run'],
  }),
  consensus: setting(z.boolean(), {
    help: 'whether a debate ends when nothing is disputed any more',
    default: 'true; false with the preset',
    flag: '--no-consensus',
    flagHelp: 'debate all rounds, even when nothing is disputed any more',
  }),
  consensusBound: setting(share, { help: 'divergence up to which nothing is disputed, in nats', default: '0.05' }),
  stubbornness: z
    .strictObject({
      auditor: setting(share, {
        help: 'how much an auditor holds on to its prior (λ of equation 6)',
        default: '0.5',
      }),
      detector: setting(share, {
        help: 'the same of a detector',
        default: '0.5',
      }),
    })
    .optional(),
  smoothing: setting(z.number().gt(0).max(0.1), { help: 'ε of equation 5', default: '0.001' }),
  delta: setting(z.number().gt(0), {
    help: 'divergence from which evaluators count as biased, in nats (δ of equation 2)',
    default: '0.5',
  }),
  gamma: setting(z.number().gt(0).max(1), {
    help: 'difference from which a judge counts as sparing its family (γ of equation 3)',
    default: '0.1',
  }),
  reference: setting(z.union([z.literal(false), z.string().min(1)]), {
    help: 'reference distribution for equation 5, fitted on labelled data',
    values: 'false, or a file that `agon bench evaluation --fit-reference` wrote',
    default: 'what the critic states',
    flag: '--reference <file>',
    isPath: true,
  }),
  context: setting(z.array(z.string().min(1).max(60)), {
    help: 'members of an exchange’s context that debaters see; they cannot quote it',
    values: 'a list, like `author, channel`',
    default: 'none',
    flag: '--show-context <members>',
    flagHelp: 'members of the context that debaters see: author, thread, channel, … (default: none)',
  }),
  maxCharacters: setting(z.int().min(1), {
    help: 'longest exchange, all messages together',
    default: '200,000; 5,000,000 when every seat is embedded',
  }),
});

export type EvaluationSettings = z.output<typeof evaluationSettings>;
