import { takingTurns, type Reasoner } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import type { EvaluationPlan } from './plan.ts';

/** Who fills the seats. Several auditors or detectors are best filled by different models. */
export interface EvaluationReasoners {
  auditor: readonly Reasoner[];
  detector: readonly Reasoner[];
  critic: Reasoner;
  arbiter: Reasoner;
  /** For the method `judge` alone. */
  judge: Reasoner | null;
}

/** A seat that a plan asks, before it is given its role. */
export interface Place {
  id: string;
  reasoner: Reasoner;
}

/**
 * `auditor`, or `auditor#1`, `auditor#2`, … when there are several. Where models are fewer than seats, they take
 * turns.
 */
export function placesOf(
  role: 'auditor' | 'detector',
  { agents }: EvaluationPlan,
  reasoners: EvaluationReasoners,
): Place[] {
  const models = reasoners[role];
  if (models.length === 0) throw nobodyFor(role);
  return Array.from({ length: agents }, (_, index) => ({
    id: agents === 1 ? role : `${role}#${index + 1}`,
    reasoner: models[index % models.length]!,
  }));
}

/** The models of the debate, once per seat, in the order they would first speak. */
export function panelOf(plan: EvaluationPlan, reasoners: EvaluationReasoners): Reasoner[] {
  const debaters = (['auditor', 'detector'] as const).flatMap((role) =>
    placesOf(role, plan, reasoners).map(({ reasoner }) => reasoner),
  );
  return [...debaters, reasoners.critic, reasoners.arbiter];
}

/** Every seat of a plan with its reasoner, for the record and for the protocol. */
export function seatingOf(plan: EvaluationPlan, reasoners: EvaluationReasoners): Place[] {
  switch (plan.method) {
    case 'debate':
      return [
        ...placesOf('auditor', plan, reasoners),
        ...placesOf('detector', plan, reasoners),
        { id: 'critic', reasoner: reasoners.critic },
        { id: 'arbiter', reasoner: reasoners.arbiter },
      ];
    case 'vote':
      return panelOf(plan, reasoners).map((reasoner, index) => ({ id: `vote#${index + 1}`, reasoner }));
    case 'role-free':
      return panelOf(plan, reasoners).map((reasoner, index) => ({ id: `peer#${index + 1}`, reasoner }));
    case 'control':
      return [{ id: 'control', reasoner: takingTurns(panelOf(plan, reasoners)) }];
    case 'judge':
      if (!reasoners.judge) throw nobodyFor('judge');
      return [{ id: 'judge', reasoner: reasoners.judge }];
    case 'prefix-match':
    case 'pattern-match':
      return [];
  }
}

function nobodyFor(role: string): AgonError {
  return new AgonError('no-reasoner', `No model is set for the seat ${role}.`, {
    library: `Name one: seats.${role}.`,
    cli: `Name one: --${role} provider:model, or seats.${role} in agon.config.yaml.`,
    api: `Name one in the settings of the server: seats.${role}.`,
  });
}
