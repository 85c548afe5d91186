import { takingTurns, type Reasoner } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { methodOf, seatsOf, type DebatePlan, type ModerationSeat } from './plan.ts';

/** Who fills the seats that a plan asks. */
export type ModerationReasoners = Readonly<Partial<Record<ModerationSeat, Reasoner>>>;

/** A seat that a plan asks, before it is given its role. */
export interface Place {
  id: string;
  reasoner: Reasoner;
}

/** Every seat of a plan with its reasoner, for the record and for the protocol. */
export function seatingOf(plan: DebatePlan, reasoners: ModerationReasoners): Place[] {
  const seats = seatsOf(plan).map((id) => ({ id, reasoner: reasonerFor(id, reasoners) }));
  switch (methodOf(plan)) {
    case 'vote':
      return numbered('vote', seats);
    case 'role-free':
      return numbered('peer', seats);
    case 'control':
      return [{ id: 'control', reasoner: takingTurns(seats.map(({ reasoner }) => reasoner)) }];
    case 'debate':
    case 'judge':
    case 'refusal-match':
      return seats;
  }
}

export function reasonerFor(seat: ModerationSeat, reasoners: ModerationReasoners): Reasoner {
  const reasoner = reasoners[seat];
  if (reasoner) return reasoner;
  throw new AgonError('no-reasoner', `No model is set for the seat ${seat}.`, {
    library: `Name one: seats.${seat}.`,
    cli: `Name one: --seat ${seat}=provider:model, or seats.${seat} in agon.config.yaml.`,
    api: `Name one in the settings of the server: seats.${seat}.`,
  });
}

/** The models of the debate once per seat, without its roles. */
function numbered(name: string, seats: readonly Place[]): Place[] {
  return seats.map(({ reasoner }, index) => ({ id: `${name}#${index + 1}`, reasoner }));
}
